import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockOf, endOfBlock, protocolIdOf } from '../../../src/domain/protocol-id.js';

test('the place of a log has 12, 6 and 6 digits', () => {
  expect(protocolIdOf({ block: 17, transactionIndex: 2, logIndex: 305 })).toBe('000000000017/000002/000305');
});

test('texts of places sort in the order of the chain', () => {
  const place = fc.record({
    block: fc.nat({ max: 999_999_999_999 }),
    transactionIndex: fc.nat({ max: 999_999 }),
    logIndex: fc.nat({ max: 999_999 }),
  });
  fc.assert(
    fc.property(place, place, (one, other) => {
      const order =
        one.block - other.block || one.transactionIndex - other.transactionIndex || one.logIndex - other.logIndex;
      const [first, second] = [protocolIdOf(one), protocolIdOf(other)];
      expect(Math.sign(first < second ? -1 : first > second ? 1 : 0)).toBe(Math.sign(order));
    }),
  );
});

test('contains its block, and sorts before the end of it', () => {
  const place = protocolIdOf({ block: 17, transactionIndex: 999_999, logIndex: 999_999 });
  expect(blockOf(place)).toBe(17);
  expect(place < endOfBlock(17)).toBe(true);
  expect(protocolIdOf({ block: 18, transactionIndex: 0, logIndex: 0 }) > endOfBlock(17)).toBe(true);
  expect(protocolIdOf({ block: 0, transactionIndex: 0, logIndex: 0 }) > endOfBlock(-1)).toBe(true);
});
