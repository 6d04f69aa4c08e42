import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKnexDatabase } from '../../src/adapters/database/knex.js';
import { createMemoryDatabase, createMemoryState } from '../../src/adapters/database/memory.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import type { Database } from '../../src/ports/database.js';

/** Rows that outlive a life. */
export interface Disk {
  open(): Promise<Database>;
  remove(): Promise<void>;
}

/** An empty disk, with the rows in memory or in a file of SQLite. */
export async function createDisk(kind: 'memory' | 'SQLite'): Promise<Disk> {
  if (kind === 'memory') {
    const state = createMemoryState();
    return { open: async () => createMemoryDatabase(state), remove: async () => undefined };
  }
  const directory = await mkdtemp(join(tmpdir(), 'pipelines-'));
  let opened: Database | undefined;
  return {
    async open() {
      await opened?.close();
      opened = await createKnexDatabase({ file: join(directory, 'node.sqlite'), log: createSilentLog() });
      return opened;
    },
    async remove() {
      await opened?.close();
      await rm(directory, { recursive: true });
    },
  };
}
