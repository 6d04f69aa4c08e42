import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { openSqlite, type Sqlite } from '../../../../src/adapters/database/sqlite.js';
import { plain } from '../../../../src/adapters/database/statements/statement.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';

let directory: string;
let sqlite: Sqlite;
let intervals: MockInstance<typeof setInterval>;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-sqlite-'));
  const file = join(directory, 'db.sqlite3');
  intervals = vi.spyOn(globalThis, 'setInterval');
  sqlite = await openSqlite({ file, log: createSilentLog(), onDamage: () => undefined });
});
afterEach(async () => {
  intervals.mockRestore();
  await sqlite.close();
  await rm(directory, { recursive: true, force: true });
});

test('an invalid statement is refused, and does not block others', async () => {
  const { reader, writer } = sqlite;
  const unknown = plain('select "sequence" from nowhere');
  const change = { method: 'update', sql: 'update nowhere set a = ?', bindings: [1] } as const;
  const refused = [reader.rows(unknown), reader.rows(unknown), writer.rows(unknown), writer.change(change)];
  for (const each of await Promise.allSettled(refused)) {
    expect(each).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_ERROR' } });
  }
  // The statement is valid once there is such a table.
  await writer.rows(plain('create table nowhere ("sequence" integer)'));
  expect(await writer.rows(unknown)).toEqual([]);
  expect(await reader.rows(unknown)).toEqual([]);
});

test('an open database does not wake its process by timers', () => {
  const delays = intervals.mock.calls.map(([, delayMs]) => delayMs ?? 0);
  expect(delays).not.toEqual([]);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(86_400_000);
});
