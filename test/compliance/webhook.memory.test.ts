import { createMemoryTargets } from '../../src/adapters/webhook/memory.js';
import { describeWebhook } from './webhook.js';

describeWebhook('memory', async () => {
  const targets = createMemoryTargets();
  return {
    webhook: targets.connect(),
    origins: ['http://one.example', 'http://two.example:8080', 'https://three.example'],
    nobody: 'http://nobody.example',
    serve: async (origin, target) => targets.serve(origin, target),
    dispose: () => Promise.resolve(),
  };
});
