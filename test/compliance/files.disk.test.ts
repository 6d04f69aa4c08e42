import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskFiles } from '../../src/adapters/files/disk.js';
import { describeFiles } from './files.js';

describeFiles('disk', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'files-'));
  const root = join(parent, 'made', 'at-first-use');
  const opened = [createDiskFiles({ root })];
  const [files] = opened;
  return {
    files: files ?? createDiskFiles({ root }),
    reopen() {
      const again = createDiskFiles({ root });
      opened.push(again);
      return again;
    },
    async dispose() {
      for (const each of opened) await each.close();
      await rm(parent, { recursive: true });
    },
  };
});
