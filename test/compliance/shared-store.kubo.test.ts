import { createKuboStore } from '../../src/adapters/shared-store/kubo.js';
import { openStore } from '../unit/sharedstore/open-store.js';
import { describeSharedStore } from './shared-store.js';

describeSharedStore('kubo, against our own program', async () => {
  const running = await openStore();
  return {
    store: createKuboStore({ apiUrl: running.url, gatewayUrl: running.url }),
    dispose: () => running.dispose(),
  };
});
