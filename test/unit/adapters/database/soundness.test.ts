import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnexDatabase } from '../../../../src/adapters/database/knex.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import type { Database } from '../../../../src/ports/database.js';
import { every } from '../../../../src/ports/tables/where.js';
import { DamagedDatabase } from '../../../../src/wire/errors/disk.js';
import { eventually } from '../../../support/eventually.js';
import { aDataItem } from '../../../compliance/database/rows.js';
import { textOf } from '../../../../src/wire/json/json.js';

let directory: string;
let file: string;
let opened: Database | undefined;
let damage: DamagedDatabase[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'soundness-'));
  file = join(directory, 'db.sqlite3');
  opened = undefined;
  damage = [];
});

afterEach(async () => {
  await opened?.close();
  await rm(directory, { recursive: true });
});

async function openDatabase(): Promise<Database> {
  opened = await createKnexDatabase({ file, log: createSilentLog(), onDamage: (error) => void damage.push(error) });
  return opened;
}

/** Creates a database of some hundred pages. */
async function fill(): Promise<void> {
  const database = await openDatabase();
  const value = textOf('x'.repeat(2_000));
  const rows = Array.from({ length: 300 }, (_, i) => aDataItem({ id: `data-${i}`, seal: `seal-${i}`, value }));
  await database.transaction((unit) => unit.insert('data', rows));
  await database.close();
}

/** Overwrites pages after the first ones, which name the tables. */
async function damagePages(): Promise<void> {
  const handle = await open(file, 'r+');
  const { size } = await stat(file);
  const half = Math.floor(size / 8_192) * 4_096;
  await handle.write(Buffer.alloc(size - half, 0xa5), 0, size - half, half);
  await handle.close();
}

function readAll(database: Database) {
  return database.rows('data', { namespace: every }, { limit: 1_000 });
}

describe('a damaged database', () => {
  it('is not opened, and the error names the damage and a remedy', async () => {
    await fill();
    await damagePages();
    const opening = openDatabase();
    await expect(opening).rejects.toBeInstanceOf(DamagedDatabase);
    await expect(opening).rejects.toThrow(/^The database of this node is damaged: .+ stack reset\.$/s);
  });

  it('is not opened if it is not a database', async () => {
    await writeFile(file, 'not a database, '.repeat(1_000));
    await expect(openDatabase()).rejects.toBeInstanceOf(DamagedDatabase);
  });

  it('is reported once if the damage is found later, and is checked thoroughly at the next start', async () => {
    await fill();
    const whole = await readFile(file);
    const database = await openDatabase();
    await damagePages();
    await expect(readAll(database)).rejects.toBeInstanceOf(DamagedDatabase);
    await expect(readAll(database)).rejects.toBeInstanceOf(DamagedDatabase);
    await eventually(() => expect(damage).toHaveLength(1));
    await database.close();
    await expect(openDatabase()).rejects.toBeInstanceOf(DamagedDatabase);
    await rm(`${file}-wal`, { force: true });
    await writeFile(file, whole);
    expect(await readAll(await openDatabase())).toHaveLength(300);
    await expect(stat(`${file}-damaged`)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
