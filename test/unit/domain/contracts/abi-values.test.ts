import { describe, expect, it } from 'vitest';
import { readValues } from '../../../../src/domain/contracts/abi-values.js';

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0');
const read = (types: readonly string[], data: string) =>
  readValues(
    types.map((type) => ({ name: '', type })),
    data,
  );

describe('the values of data', () => {
  it('are numbers, booleans, digits and lists of these', () => {
    const fixed = `0x${word(7)}${word(-1)}${word(1)}${word(0xab)}${'61626300'.padEnd(64, '0')}`;
    expect(read(['uint256', 'int8', 'bool', 'address', 'bytes3'], fixed)).toEqual([
      7n,
      -1n,
      true,
      `0x${'ab'.padStart(40, '0')}`,
      '0x616263',
    ]);
    const dynamic = `0x${word(64)}${word(160)}${word(2)}${word(1)}${word(2)}${word(3)}${'010203'.padEnd(64, '0')}`;
    expect(read(['uint8[]', 'bytes'], dynamic)).toEqual([[1n, 2n], '0x010203']);
  });

  it('ignore bits that do not belong to their type, as Solidity did', () => {
    expect(read(['uint8', 'int8', 'bool'], `0x${word(0x1ff)}${word(0x180)}${word(2)}`)).toEqual([255n, -128n, true]);
  });

  it('may be followed by more data', () => {
    expect(read(['uint8'], `0x${word(1)}ff`)).toEqual([1n]);
  });

  it.each([
    ['shorter than its types', ['uint256'], '0x01'],
    ['odd', ['uint256'], `0x${word(1)}0`],
    ['no digits', ['uint256'], 'ab'],
    ['of a type that is none', ['uint256', 'unknown'], `0x${word(1)}${word(1)}`],
    ['of a tuple of unknown members', ['tuple'], `0x${word(1)}`],
    ['too large for an address', ['address'], `0x${word(2n ** 160n)}`],
    ['not padded', ['bytes'], `0x${word(32)}${word(1)}ff`],
  ])('are not in data that is %s', (_, types, data) => {
    expect(() => read(types, data)).toThrow(expect.objectContaining({ name: 'MismatchedData' }));
  });

  it('are not decoded if they would be far more than the words of the data', () => {
    const nested = `${word(32)}${`${word(9)}${word(288).repeat(9)}`.repeat(7)}${word(1)}${word(1)}`;
    for (const [type, data] of [
      ['uint256[999999999]', `0x${word(1)}`],
      [`uint256${'[]'.repeat(8)}`, `0x${nested}`],
    ] as const) {
      expect(() => read([type], data)).toThrow(expect.objectContaining({ name: 'BeyondLimits' }));
    }
  });
});
