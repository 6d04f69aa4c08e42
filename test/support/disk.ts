import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKnexDatabase } from '../../src/adapters/database/knex.js';
import { createMemoryDatabase, createMemoryState } from '../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import { createSilentMetrics } from '../../src/adapters/metrics/silent.js';
import type { Database } from '../../src/ports/database.js';

/** Rows that survive restarts. */
export interface Disk {
  open(): Promise<Database>;
  /** Returns a metric's count over all lives. */
  counted(metric: string): number;
  remove(): Promise<void>;
}

/** Creates an empty disk, in memory or in a SQLite file. */
export async function createDisk(kind: 'memory' | 'SQLite'): Promise<Disk> {
  const counts = new Map<string, number>();
  const count = (metric: string, by = 1): void => void counts.set(metric, (counts.get(metric) ?? 0) + by);
  const counted = (metric: string): number => counts.get(metric) ?? 0;
  if (kind === 'memory') {
    const state = createMemoryState();
    return { open: async () => createMemoryDatabase(state), counted, remove: async () => undefined };
  }
  const directory = await mkdtemp(join(tmpdir(), 'pipelines-'));
  let opened: Database | undefined;
  return {
    async open() {
      await opened?.close();
      opened = await createKnexDatabase({
        file: join(directory, 'node.sqlite'),
        log: createSilentLog(),
        metrics: { ...createSilentMetrics(), count },
      });
      return opened;
    },
    counted,
    async remove() {
      await opened?.close();
      await rm(directory, { recursive: true });
    },
  };
}
