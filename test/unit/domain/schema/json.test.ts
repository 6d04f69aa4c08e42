import { describe, expect, it, test } from 'vitest';
import { canonicalText, memberOf, pointerToken } from '../../../../src/domain/schema/json.js';

describe('the canonical text of a value', () => {
  it.each([
    [
      { b: 1, a: [1, { d: 1, c: 2 }] },
      { a: [1, { c: 2, d: 1 }], b: 1 },
    ],
    [1, 1.0],
    [0, -0],
  ])('is the same for equal values: %j', (one, other) => {
    expect(canonicalText(one)).toBe(canonicalText(other));
  });

  it.each([
    [1, '1'],
    [null, 'null'],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [Infinity, null],
    [['a', 'b'], ['a","b']],
  ])('differs for different ones: %j and %j', (one, other) => {
    expect(canonicalText(one)).not.toBe(canonicalText(other));
  });

  it('reports its cost before it is built', () => {
    let characters = 0;
    canonicalText({ name: ['x'.repeat(1_000)] }, (count) => (characters += count));
    expect(characters).toBeGreaterThan(1_000);
  });
});

test('only own properties of an object count as members', () => {
  expect(memberOf({}, 'toString')).toBeUndefined();
  expect(memberOf({ toString: 1 }, 'toString')).toBe(1);
});

test('the step of a pointer is escaped', () => {
  expect(pointerToken('a/b~c')).toBe('a~1b~0c');
});
