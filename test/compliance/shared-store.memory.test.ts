import { createMemoryStore } from '../../src/adapters/shared-store/memory.js';
import { describeSharedStore } from './shared-store.js';

describeSharedStore('memory', async () => ({ store: createMemoryStore(), dispose: () => Promise.resolve() }));
