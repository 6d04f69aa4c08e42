import { afterAll, beforeAll, describe } from 'vitest';
import { createPostgresDatabase } from '../../src/adapters/database/postgres.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import type { Database } from '../../src/ports/database.js';
import { hasNoPostgres, type PostgresServer, startPostgres } from '../support/postgres.js';
import { describeDatabase } from './database.js';

describe.skipIf(hasNoPostgres)('needs PostgreSQL', () => {
  let server: PostgresServer | undefined;
  let schemas = 0;
  beforeAll(async () => {
    server = await startPostgres(['-c', 'fsync=off']);
  }, 60_000);
  afterAll(() => server?.stop());

  describeDatabase('PostgreSQL', async () => {
    if (server === undefined) throw new Error('The server was not started');
    const place = { address: server.address(), schema: `node_${(schemas += 1)}`, owner: 'a node' };
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
