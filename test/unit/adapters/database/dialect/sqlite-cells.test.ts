import { expect, it } from 'vitest';
import { cellOf, textIn } from '../../../../../src/adapters/database/dialect/sqlite-cells.js';
import { columnOf } from '../../../../../src/adapters/database/statements/rows.js';

const text = columnOf('payloads', 'text');

it.each(['', 'short', 'x'.repeat(512), 'é€😀'.repeat(200), '{"a":"\\u0000"}'.repeat(9_000)])(
  'a long text comes back as it was',
  (value) => expect(textIn(text, cellOf(text, value))).toBe(value),
);

it('only a long text is stored compressed', () => {
  const value = '{"id":"3fa85f64-5717-4562-b3fc-2c963f66afa6"}'.repeat(20);
  const cell = cellOf(text, value);
  expect(Buffer.isBuffer(cell) && cell.length < value.length / 10).toBe(true);
  expect(cellOf(columnOf('data', 'value'), value)).toBe(value);
  expect(cellOf(text, value.slice(0, 512))).toBe(value.slice(0, 512));
});
