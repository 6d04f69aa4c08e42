import { expect, it } from 'vitest';
import { comparerOf, testOf } from '../../../../src/wire/lists/condition.js';

it('sorts rows without a value last, or first with nullsFirst, in both directions', () => {
  const rows = [{ tag: null }, { tag: 'a' }, { tag: 'b' }];
  const order = (descending: boolean, nullsFirst: boolean) =>
    [...rows].sort(comparerOf([{ field: 'tag', descending, nullsFirst }])).map(({ tag }) => tag);
  expect(order(false, false)).toEqual(['a', 'b', null]);
  expect(order(true, false)).toEqual(['b', 'a', null]);
  expect(order(false, true)).toEqual([null, 'a', 'b']);
  expect(order(true, true)).toEqual([null, 'b', 'a']);
});

it('compares numbers of any size as numbers with asNumber', () => {
  const above = testOf({ field: 'amount', is: 'above', value: '9', asNumber: true });
  expect(['10', '9', '8', '99999999999999999999', '-10'].map((amount) => above({ amount }))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
});
