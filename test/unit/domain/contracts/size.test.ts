import { describe, expect, it } from 'vitest';
import type { AbiParameter } from '../../../../src/domain/contracts/abi.js';
import { checkEntrySizes, checkSizes, maxAbiWords } from '../../../../src/domain/contracts/size.js';

function tuple(type: string, components: readonly AbiParameter[]): AbiParameter {
  return { name: 'a', type, components };
}

const of = (type: string): AbiParameter => ({ name: 'a', type });

describe('parameters', () => {
  it.each<[string, AbiParameter]>([
    ['a fixed length above what a transaction carries', of('uint256[65537]')],
    ['a product of fixed lengths', of('uint256[300][300]')],
    ['a fixed length of texts', of('string[999999999]')],
    ['a fixed length within a list', of('bool[999999999][]')],
    ['a fixed length of lists', of('bool[][999999999]')],
    ['a fixed length of tuples', tuple('tuple[20000]', [of('bool'), of('bool[3]')])],
    ['a fixed length in the member of a tuple', tuple('tuple', [tuple('tuple[]', [of('bytes4[70000]')])])],
    ['a list of tuples without members', tuple('tuple[]', [])],
    ['an array of tuples without members', tuple('tuple[4]', [])],
    ['a list of tuples whose members have none', tuple('tuple[]', [tuple('tuple', [])])],
  ])('with %s are refused', (_, parameter) => {
    expect(() => checkSizes([parameter], 'params')).toThrow('FF10332');
    expect(() => checkEntrySizes({ type: 'event', name: 'E', inputs: [parameter] }, 'event')).toThrow('FF10332');
  });

  it.each<[string, AbiParameter]>([
    ['as much as a transaction carries', of(`uint256[${maxAbiWords}]`)],
    ['lists of lists', of('uint256[][][256]')],
    ['a list of long arrays', of('uint256[60000][]')],
    ['a tuple without members', tuple('tuple', [])],
  ])('with %s are taken', (_, parameter) => {
    expect(() => checkSizes([parameter], 'params')).not.toThrow();
  });

  it('that are too long only together are refused', () => {
    const outputs = [of('uint256[40000]'), of('uint256[40000]')];
    expect(() => checkEntrySizes({ type: 'function', name: 'f', inputs: [], outputs }, 'method')).toThrow('FF10332');
  });
});
