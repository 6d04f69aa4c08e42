import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKnexDatabase } from '../../src/adapters/database/knex.js';
import { createPostgresDatabase } from '../../src/adapters/database/postgres.js';
import { createMemoryDatabase, createMemoryState } from '../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import { createSilentMetrics } from '../../src/adapters/metrics/silent.js';
import type { Database } from '../../src/ports/database.js';
import type { Metrics } from '../../src/ports/metrics.js';
import { newSchema, sharedPostgres } from './postgres.js';

/** Rows that survive restarts. */
export interface Disk {
  open(): Promise<Database>;
  /** Returns a metric's count over all lives. */
  counted(metric: string): number;
  remove(): Promise<void>;
}

export type DatabaseKind = 'memory' | 'SQLite' | 'PostgreSQL';

/** Creates an empty disk: in memory, in a SQLite file, or in a schema of PostgreSQL. */
export async function createDisk(kind: DatabaseKind): Promise<Disk> {
  const counts = new Map<string, number>();
  const count = (metric: string, by = 1): void => void counts.set(metric, (counts.get(metric) ?? 0) + by);
  const counted = (metric: string): number => counts.get(metric) ?? 0;
  if (kind === 'memory') {
    const state = createMemoryState();
    return { open: async () => createMemoryDatabase(state), counted, remove: async () => undefined };
  }
  const metrics = { ...createSilentMetrics(), count };
  const { openNext, remove } = await (kind === 'SQLite' ? inFile(metrics) : onServer(metrics));
  let opened: Database | undefined;
  return {
    async open() {
      await opened?.close();
      opened = await openNext();
      return opened;
    },
    counted,
    async remove() {
      await opened?.close();
      await remove();
    },
  };
}

interface Lives {
  openNext(): Promise<Database>;
  remove(): Promise<void>;
}

async function inFile(metrics: Metrics): Promise<Lives> {
  const directory = await mkdtemp(join(tmpdir(), 'pipelines-'));
  const file = join(directory, 'node.sqlite');
  return {
    openNext: () => createKnexDatabase({ file, log: createSilentLog(), metrics }),
    remove: () => rm(directory, { recursive: true }),
  };
}

async function onServer(metrics: Metrics): Promise<Lives> {
  const server = await sharedPostgres();
  const place = { readAddress: async () => server.address(), schema: newSchema(), owner: 'a node' };
  return {
    openNext: () => createPostgresDatabase({ ...place, log: createSilentLog(), metrics }),
    // The schema is removed with its server.
    remove: async () => undefined,
  };
}
