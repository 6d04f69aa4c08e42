import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKnexDatabase } from '../../src/adapters/database/knex.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import type { Database } from '../../src/ports/database.js';
import { describeDatabase } from './database.js';

describeDatabase('knex on SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'database-'));
  const opened: Database[] = [];
  const reopen = async (): Promise<Database> => {
    const database = await createKnexDatabase({ file: join(directory, 'made', 'node.sqlite'), log: createSilentLog() });
    opened.push(database);
    return database;
  };
  return {
    database: await reopen(),
    reopen,
    async dispose() {
      for (const each of opened) await each.close();
      await rm(directory, { recursive: true });
    },
  };
});
