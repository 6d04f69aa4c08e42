import { createMemoryFiles } from '../../src/adapters/files/memory.js';
import { describeFiles } from './files.js';

describeFiles('memory', async () => {
  const files = createMemoryFiles();
  return { files, reopen: () => files, dispose: () => files.close() };
});
