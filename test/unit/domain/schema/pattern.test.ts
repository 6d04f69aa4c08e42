import { expect, test } from 'vitest';
import { createDatatypes } from '../../../../src/domain/datatype.js';
import { currentRules } from '../../../../src/domain/network/network-rules.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { sizeOfPattern } from '../../../../src/domain/schema/pattern.js';
import { codeOf } from '../../../support/codes.js';

const datatypes = createDatatypes();
const rules = currentRules.validation;

test.each<[string, unknown]>([
  ['with a pattern that RE2 cannot have', { pattern: '(?=a)b' }],
  ['with a pattern in the name of a member that RE2 cannot have', { patternProperties: { '(a)\\1': true } }],
  ['with a pattern longer than a kilobyte', { pattern: 'a'.repeat(1_025) }],
  ['with a pattern that is huge when its repetitions are written out', { pattern: '(a{1,1000})'.repeat(20) }],
])('a schema is refused %s', (_, schema) => {
  expect(codeOf(() => datatypes.compile(textOf(schema), rules))).toBe('FF10196');
});

test('a schema may have patterns of exactly 1,024 bytes and, with 5 more for each, of 10,000 states', () => {
  const compile = (...patterns: string[]) =>
    codeOf(() => datatypes.compile(textOf({ allOf: patterns.map((pattern) => ({ pattern })) }), rules));
  expect(compile('a'.repeat(1_024))).toBeUndefined();
  expect(compile('é'.repeat(512), 'é'.repeat(511))).toBeUndefined();
  expect(compile(`é${'é'.repeat(511)}a`)).toBe('FF10196');
  const nearlyAll = Array.from({ length: 9 }, (_, i) => String(i) + 'a'.repeat(999));
  expect(nearlyAll.map(sizeOfPattern)).toEqual(new Array(9).fill(1_000));
  const last = 1_000 - 10 * 5;
  expect(compile(...nearlyAll, 'b'.repeat(last), 'b'.repeat(last))).toBeUndefined();
  expect(compile(...nearlyAll, 'b'.repeat(last + 1))).toBe('FF10196');
});

test.each([
  ['abc', 3],
  ['(a{10}){10}', 121],
  ['a{2,}', 3],
  ['[a-z]{5}', 35],
  ['\\{3}', 3],
  ['[{]}{4}', 35],
])('the size of %s with its repetitions written out is about %d', (expression, size) => {
  expect(Math.abs(sizeOfPattern(expression) - size)).toBeLessThanOrEqual(2 + size / 4);
});
