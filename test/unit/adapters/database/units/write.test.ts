import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  insertStatements,
  sqliteDialect,
  writeStatements,
} from '../../../../../src/adapters/database/dialect/sqlite.js';
import type { Sqlite } from '../../../../../src/adapters/database/sqlite.js';
import { plain, type Statement } from '../../../../../src/adapters/database/statements/statement.js';
import { formOf } from '../../../../../src/adapters/database/units/literals.js';
import {
  changedRows,
  newRows,
  packedRows,
  removedRows,
  type Write,
} from '../../../../../src/adapters/database/units/write.js';
import { aMessage, query } from '../../../../compliance/database/rows.js';
import { openNewDatabase } from '../new-database.js';

let sqlite: Sqlite;
beforeAll(async () => {
  sqlite = await openNewDatabase();
});
afterAll(() => sqlite.close());

/** Returns the exact contents of a fresh table after these statements. */
async function stored(statements: readonly Statement[]): Promise<unknown> {
  for (const each of statements) await sqlite.writer.change(each);
  const texts = await sqlite.writer.rows(
    plain('select hex("id") as id, hex("tag") as tag, typeof("tag") from messages'),
  );
  const rows = await sqlite.writer.rows(sqliteDialect.select('messages', query()));
  await sqlite.writer.rows(plain('delete from messages'));
  return { texts, rows };
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  // Including lone surrogates, and texts that look like an escape or another type.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom('007', '1e5', '-0', 'null', 'true', '[1]', '{"a":1}', '\\ud800', '\u0000', 'a\u0000b', '\ud800', ''),
);
const row = fc
  .record({
    tag: fc.option(text, { nil: null }),
    cid: fc.option(text, { nil: null }),
    rank: text,
    topics: fc.array(text, { maxLength: 2 }),
    sizeBytes: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -0, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 31, -(2 ** 31))),
    hasBlobs: fc.boolean(),
  })
  .map((some) => aMessage({ ...some, id: String(some.tag) }));
const rows = fc
  .array(row, { minLength: 1, maxLength: 4 })
  .map((some) => some.map((each, i) => ({ ...each, id: `${i} ${each.id}`, sequence: i + 1 })));

it('rows passed as JSON are stored exactly like bound values', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom('insert' as const, 'put' as const), async (some, mode) => {
      expect(await stored(writeStatements(newRows('messages', mode, some)))).toEqual(
        await stored(insertStatements('messages', mode, some)),
      );
    }),
    { numRuns: 150 },
  );
});

it('changes of rows are stored exactly like bound values', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (some) => {
      const blank = some.map(({ sequence, id }) => ({ ...aMessage({ id }), sequence }));
      const names = ['tag', 'cid', 'rank', 'topics', 'sizeBytes', 'hasBlobs'] as const;
      const changes = some.map((each) => ({
        sequence: each.sequence,
        ...Object.fromEntries(names.map((name) => [name, each[name]])),
      }));
      const change = writeStatements(changedRows('messages', 'sequence', changes));
      expect(await stored([...insertStatements('messages', 'insert', blank), ...change])).toEqual(
        await stored(insertStatements('messages', 'insert', some)),
      );
    }),
    { numRuns: 150 },
  );
});

/** Returns the statement for a write with its values in the text. */
function script(write: Write): Statement {
  const sql = formOf(write).text;
  if (sql === undefined) throw new Error('the write is too long for a text');
  return { method: 'script', sql, bindings: [] };
}

it('rows and changes in the text of a statement are stored exactly like bound values', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom('insert' as const, 'put' as const), async (some, mode) => {
      const expected = await stored(insertStatements('messages', mode, some));
      expect(await stored([script(newRows('messages', mode, some))])).toEqual(expected);
      const blank = some.map(({ sequence, id }) => ({ ...aMessage({ id }), sequence }));
      const changes = some.map(({ sequence, tag, cid, rank, topics, sizeBytes, hasBlobs }) => {
        return { sequence, tag, cid, rank, topics, sizeBytes, hasBlobs };
      });
      const change = script(changedRows('messages', 'sequence', changes));
      expect(await stored([...insertStatements('messages', 'insert', blank), change])).toEqual(expected);
      const gone = script(removedRows('messages', some));
      expect(await stored([...insertStatements('messages', mode, some), gone])).toEqual({ texts: [], rows: [] });
    }),
    { numRuns: 100 },
  );
});

it('many or long rows are not put into the text of a statement', () => {
  const many = Array.from({ length: 200 }, (_, i) => ({ ...aMessage({ id: String(i) }), sequence: i + 1 }));
  expect(formOf(newRows('messages', 'insert', many))).toMatchObject({ text: undefined, rows: expect.any(String) });
  const long = { ...aMessage({ tag: 'x'.repeat(40_000) }), sequence: 1 };
  expect(formOf(newRows('messages', 'insert', [long]))).toMatchObject({ text: undefined, rows: undefined });
});

it('rows with a long text are bound', () => {
  const [short, long] = [aMessage({ tag: 'x'.repeat(4_096) }), aMessage({ topics: ['x'.repeat(4_096)] })];
  const written = (values: object) => packedRows(newRows('messages', 'insert', [{ ...values, sequence: 1 }]));
  expect(written(short)).toContain('xxxx');
  expect(written(long)).toBeUndefined();
});

it.each([
  ['operations', 'id', { id: 'a', nonce: 1 }, 'operations_id'],
  ['subscriptions', 'id', { id: 'a', cursor: 1 }, 'subscriptions_id'],
  ['transactions', 'id', { id: 'a', created: '' }, 'transactions_id'],
  ['balances', 'sequence', { sequence: 1, balance: '1' }, 'INTEGER PRIMARY KEY'],
] as const)('rows of %s to be changed are found by their %s', async (table, key, values, index) => {
  const [{ sql, bindings } = plain('')] = writeStatements(changedRows(table, key, [values]));
  const plan = await sqlite.writer.rows({ method: 'select', sql: `explain query plan ${sql}`, bindings });
  const steps = plan.map(({ detail }) => String(detail));
  expect(steps.join('\n')).toMatch(new RegExp(`SEARCH ${table} USING .*${index}`));
  expect(steps.filter((step) => step.startsWith(`SCAN ${table}`))).toEqual([]);
});
