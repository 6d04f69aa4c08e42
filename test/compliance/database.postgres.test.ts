import { describe } from 'vitest';
import { createPostgresDatabase } from '../../src/adapters/database/postgres.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import type { Database } from '../../src/ports/database.js';
import { hasNoPostgres, newSchema, sharedPostgres } from '../support/postgres.js';
import { describeDatabase } from './database.js';

describe.skipIf(hasNoPostgres)('needs PostgreSQL', () => {
  describeDatabase('PostgreSQL', async () => {
    const server = await sharedPostgres();
    const place = { readAddress: async () => server.address(), schema: newSchema(), owner: 'a node' };
    const opened: Database[] = [];
    const reopen = async (): Promise<Database> => {
      const database = await createPostgresDatabase({ ...place, log: createSilentLog() });
      opened.push(database);
      return database;
    };
    return {
      database: await reopen(),
      reopen,
      async dispose() {
        for (const each of opened) await each.close();
      },
    };
  });
});
