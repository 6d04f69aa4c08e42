import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../../../src/adapters/database/sqlite.js';
import { plain } from '../../../../src/adapters/database/statements/statement.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';

test('a statement that the database does not understand is refused, and keeps no other waiting', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-sqlite-'));
  const { reader, writer, close } = await openSqlite({
    file: join(directory, 'db.sqlite3'),
    log: createSilentLog(),
    onDamage: () => undefined,
  });
  try {
    const unknown = plain('select "sequence" from nowhere');
    const change = { method: 'update', sql: 'update nowhere set a = ?', bindings: [1] } as const;
    const refused = [reader.rows(unknown), reader.rows(unknown), writer.rows(unknown), writer.change(change)];
    for (const each of await Promise.allSettled(refused)) {
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_ERROR' } });
    }
    // The text is understood once there is such a table.
    await writer.rows(plain('create table nowhere ("sequence" integer)'));
    expect(await writer.rows(unknown)).toEqual([]);
    expect(await reader.rows(unknown)).toEqual([]);
  } finally {
    await close();
    await rm(directory, { recursive: true, force: true });
  }
});
