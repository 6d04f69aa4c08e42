import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createKnexDatabase } from '../../../../src/adapters/database/knex.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import type { Database } from '../../../../src/ports/database.js';
import { every } from '../../../../src/ports/tables/where.js';
import { isDiskFull } from '../../../../src/wire/errors/disk.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { aDataItem } from '../../../compliance/database/rows.js';
import { noSmallDisk, openSmallDisk } from '../../../support/small-disk.js';

function insert(database: Database, id: string): Promise<void> {
  const item = aDataItem({ id, seal: id, value: textOf('x'.repeat(50_000)) });
  return database.transaction((unit) => unit.insert('data', [item]));
}

it('a full disk refuses units with its own error, and nothing needs repair once there is space', async (context) => {
  const disk = await openSmallDisk(8_192);
  if (disk === undefined) return context.skip(noSmallDisk);
  const ballast = join(disk.directory, 'ballast');
  await writeFile(ballast, Buffer.alloc(4_194_304));
  const database = await createKnexDatabase({ file: join(disk.directory, 'db.sqlite3'), log: createSilentLog() });
  let stored = 0;
  let failure: unknown;
  for (; failure === undefined && stored < 200; stored += failure === undefined ? 1 : 0) {
    await insert(database, `item-${stored}`).catch((error: unknown) => (failure = error));
  }
  expect(isDiskFull(failure)).toBe(true);
  expect(database.problem()).toBe('its disk is full');
  const scope = { namespace: every } as const;
  expect(await database.count('data', scope)).toBe(stored);
  await rm(ballast);
  await insert(database, 'later');
  expect(database.problem()).toBeUndefined();
  expect(await database.count('data', scope)).toBe(stored + 1);
  await database.close();
  await disk.remove();
});
