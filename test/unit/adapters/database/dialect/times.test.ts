import { describe, expect, it } from 'vitest';
import { keptTime, timeOf, timeTextSql } from '../../../../../src/adapters/database/dialect/times.js';
import { plain } from '../../../../../src/adapters/database/statements/statement.js';
import { openNewDatabase } from '../new-database.js';

const times: readonly [string, number][] = [
  ['1970-01-01T00:00:00.000Z', 0],
  ['1969-12-31T23:59:59.999Z', -1],
  ['2026-01-15T10:00:00.007Z', 1_768_471_200_007],
  ['2024-02-29T23:59:59.999Z', 1_709_251_199_999],
  ['0000-01-01T00:00:00.000Z', -62_167_219_200_000],
  ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
];

describe('a time that SQLite stores as a number', () => {
  it.each(times)('%s is stored as %d, and restored when read', (text, ms) => {
    expect(keptTime(text)).toBe(ms);
    expect(timeOf(ms)).toBe(text);
  });

  it.each([
    '',
    '~',
    '~2026-01-15T10:00:00.007Z',
    '2026-01-15T10:00:00Z',
    '2026-01-15T10:00:00.0071Z',
    '2026-01-15T10:00:00.007+00:00',
    '2026-01-15 10:00:00.007Z',
    '2025-02-29T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-01-15T24:00:00.000Z',
    '2026-01-15T10:00:60.000Z',
    '+12026-01-15T10:00:00.007Z',
  ])('is not "%s", which stays text', (text) => {
    expect(keptTime(text)).toBe(text);
  });

  it('has the same text in SQLite, for every millisecond of a second and at the ends of a day', async () => {
    const second = Array.from({ length: 1000 }, (_, i) => 1_768_471_259_000 + i);
    const all = [...second, ...times.map(([, ms]) => ms), 1_768_435_199_999, 1_768_435_200_000];
    const sqlite = await openNewDatabase();
    const values = all.map((ms) => `(${ms})`).join(', ');
    const rows = await sqlite.reader.rows(
      plain(`select ${timeTextSql('"column1"')} as "text" from (values ${values})`),
    );
    await sqlite.close();
    expect(rows.map(({ text }) => text)).toEqual(all.map(timeOf));
  });

  it('has the same text when the driver binds it as a real number; a text stays unchanged', async () => {
    const bindings = [...times.map(([, ms]) => ms), '~', null];
    const sql = bindings.map(() => `select ${timeTextSql('"given"')} as "text" from (select ? as "given")`);
    const sqlite = await openNewDatabase();
    const rows = await sqlite.reader.rows({ method: 'select', sql: sql.join(' union all '), bindings });
    await sqlite.close();
    expect(rows.map(({ text }) => text)).toEqual([...times.map(([text]) => text), '~', null]);
  });
});
