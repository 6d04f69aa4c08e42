import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import {
  createKnexDatabase,
  type FileDatabase,
  type KnexDatabaseParts,
} from '../../../../src/adapters/database/knex.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import type { Database } from '../../../../src/ports/database.js';

/** Provides a directory with a place for a database to each test, and closes the databases that were opened there. */
export function useDatabaseFile() {
  let directory = '';
  const opened: Database[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'database-'));
  });

  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    await rm(directory, { recursive: true });
  });

  const file = (): string => join(directory, 'node.sqlite');
  return {
    directory: () => directory,
    file,
    async open(parts: Partial<KnexDatabaseParts> = {}): Promise<FileDatabase> {
      const database = await createKnexDatabase({ file: file(), log: createSilentLog(), ...parts });
      opened.push(database);
      return database;
    },
  };
}
