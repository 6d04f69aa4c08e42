import { AbiCoder } from 'ethers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { areWords, encodeWords, readWords } from '../../../../src/adapters/token-connector/abi-words.js';

const coder = AbiCoder.defaultAbiCoder();

const bytes = fc.uint8Array({ maxLength: 100 }).map((value) => `0x${Buffer.from(value).toString('hex')}`);
const number = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((value) => `0x${Buffer.from(value).toString('hex')}`);
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  uint256: number,
  bool: fc.boolean(),
  bytes,
  'uint256[]': fc.array(number, { maxLength: 5 }),
  address,
  string: fc.string({ unit: 'grapheme', maxLength: 80 }),
  'address[]': fc.array(address, { maxLength: 5 }),
};

/** Some of these types, with a value of each. */
function arguments_(types: readonly string[]) {
  return fc
    .array(fc.constantFrom(...types), { minLength: 1, maxLength: 5 })
    .chain((chosen) => fc.tuple(fc.constant(chosen), fc.tuple(...chosen.map((type) => values[type] ?? fc.nat()))));
}

function decoded(types: readonly string[], data: string, decode: typeof readWords): unknown {
  try {
    return decode(types, data);
  } catch {
    return 'nothing';
  }
}

const byEthers: typeof readWords = (types, data) => coder.decode([...types], data).toArray(true);

it('arguments are encoded as ethers encodes them', () => {
  fc.assert(
    fc.property(arguments_(Object.keys(values)), ([types, given]) => {
      expect(`0x${encodeWords(types, given)}`).toBe(coder.encode(types, given));
    }),
    { numRuns: 300 },
  );
});

const readTypes = Object.keys(values).filter((type) => areWords([type]));

it('data is read as ethers reads it, also when somebody has cut or changed it', () => {
  const change = fc.record({ at: fc.nat({ max: 1_000 }), digit: fc.constantFrom('0', '1', '2', '4', '6', 'f') });
  const damage = fc.record({ length: fc.option(fc.nat({ max: 1_000 })), changes: fc.array(change, { maxLength: 3 }) });
  fc.assert(
    fc.property(arguments_(readTypes), damage, ([types, given], { length, changes }) => {
      const digits = [...encodeWords(types, given)];
      for (const { at, digit } of changes) digits[at % digits.length] = digit;
      const data = `0x${digits.slice(0, length ?? digits.length).join('')}`;
      expect(decoded(types, data, readWords)).toEqual(decoded(types, data, byEthers));
    }),
    { numRuns: 1_000 },
  );
});

it.each(['', '0x0', '0xzz', 'ab', '0x', `0x${'f'.repeat(64)}`])('%j is no bytes', (data) => {
  expect(decoded(['bytes'], data, readWords)).toEqual(decoded(['bytes'], data, byEthers));
});

it.each([
  ['uint256', -1n],
  ['uint256', 2n ** 256n],
  ['uint256', 'many'],
  ['address', '0x12'],
  ['bytes', '0x1'],
  ['address[]', '0x12'],
  ['int8', 1n],
])('a value that is no %s is not encoded', (type, value) => {
  expect(() => encodeWords([type], [value])).toThrow();
});
