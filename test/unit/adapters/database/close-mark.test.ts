import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKnexDatabase } from '../../../../src/adapters/database/knex.js';
import { openSqlite } from '../../../../src/adapters/database/sqlite.js';
import { plain } from '../../../../src/adapters/database/statements/statement.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { aDataItem } from '../../../compliance/database/rows.js';

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'close-mark-'));
  file = join(directory, 'db.sqlite3');
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

/** Opens, writes, and closes; resolves with whether the file may have been edited before it was opened. */
async function live(id: string): Promise<boolean> {
  const database = await createKnexDatabase({ file, log: createSilentLog() });
  await database.transaction((unit) => unit.insert('data', [aDataItem({ id, seal: id })]));
  await database.close();
  return database.mayBeEdited;
}

it('a file that only this program has changed was not edited', async () => {
  expect(await live('first')).toBe(false);
  expect(await live('second')).toBe(false);
});

it('a file that another program has changed may have been edited, until it is closed again', async () => {
  await live('first');
  const other = await openSqlite({ file, log: createSilentLog(), onDamage: () => undefined });
  await other.writer.rows(plain(`update "data" set "value" = '17'`));
  await other.close();
  expect(await live('second')).toBe(true);
  expect(await live('third')).toBe(false);
  await utimes(file, new Date(), new Date());
  expect(await live('fourth')).toBe(true);
});

it('a file that was not closed may have been edited', async () => {
  await live('first');
  await rm(`${file}-closed`);
  expect(await live('second')).toBe(true);
});
