import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKnexDatabase } from '../../../../src/adapters/database/knex.js';
import { openSqlite, type Sqlite } from '../../../../src/adapters/database/sqlite.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';

/** Opens SQLite directly, on a database that the program has created; `close` removes it. */
export async function openNewDatabase(): Promise<Sqlite> {
  const directory = await mkdtemp(join(tmpdir(), 'database-'));
  const file = join(directory, 'node.sqlite');
  await (await createKnexDatabase({ file, log: createSilentLog() })).close();
  const sqlite = await openSqlite({ file, log: createSilentLog(), onDamage: () => undefined });
  return {
    ...sqlite,
    async close() {
      await sqlite.close();
      await rm(directory, { recursive: true });
    },
  };
}
