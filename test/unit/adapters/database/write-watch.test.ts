import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knex from 'knex';
import { expect, it, onTestFinished } from 'vitest';
import { createKnexDatabase } from '../../../../src/adapters/database/knex.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { LockedDatabase } from '../../../../src/wire/errors/disk.js';
import { aDue } from '../../../compliance/database/rows.js';

it('a lock of another program refuses writes and is the problem of the database, until one succeeds', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'locked-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'db.sqlite3');
  const database = await createKnexDatabase({ file, log: createSilentLog() });
  const other = knex({ client: 'sqlite3', connection: { filename: file }, useNullAsDefault: true });
  const insert = (context: string) => database.transaction((unit) => unit.insert('due', [aDue(context)]));
  expect(database.problem()).toBeUndefined();
  await other.raw('begin immediate');
  await expect(insert('a')).rejects.toBeInstanceOf(LockedDatabase);
  expect(database.problem()).toBeDefined();
  expect(await database.count('due', {})).toBe(0);
  await other.raw('rollback');
  await insert('b');
  expect(database.problem()).toBeUndefined();
  await other.destroy();
  await database.close();
}, 60_000);
