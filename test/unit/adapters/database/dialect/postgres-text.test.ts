import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  readJson,
  readText,
  storedJson,
  storedText,
} from '../../../../../src/adapters/database/dialect/postgres-text.js';

const unit = fc.constantFrom('\u0000', '\u0001', '\u0002', '\u0003', '\u0004', 'a', '\\', '\\u0000', '😀', '0', '2');
const text = fc.string({ unit, maxLength: 6 });
const anyText = fc.string({ unit: fc.oneof(unit, fc.constantFrom('\ud83d', '\ude00', '\ud800')), maxLength: 6 });
const points = (value: string) => Buffer.from(value).toString('hex');

it('a stored text has no U+0000, and is restored when read', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(storedText(value)).not.toContain('\u0000');
      expect(readText(storedText(value))).toBe(value);
    }),
  );
});

it('stored texts sort like their texts, and contain one another if the texts do', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(points(storedText(one)) < points(storedText(other))).toBe(points(one) < points(other));
      expect(storedText(one).includes(storedText(other))).toBe(one.includes(other));
      expect(storedText(one).startsWith(storedText(other))).toBe(one.startsWith(other));
      expect(storedText(one).endsWith(storedText(other))).toBe(one.endsWith(other));
    }),
    { numRuns: 2_000 },
  );
});

it('JSON is restored when read, and its strings are stored like texts', () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 3 }), (values) => {
      const json = JSON.stringify(values);
      expect(readJson(storedJson(json))).toBe(json);
      expect(storedJson(json)).not.toMatch(/(?:^|[^\\])(?:\\\\)*\\u(?:0000|d[89a-f])/);
    }),
    { numRuns: 2_000 },
  );
  expect(JSON.parse(storedJson('["a\\u0000"]'))).toEqual([storedText('a\u0000')]);
});
