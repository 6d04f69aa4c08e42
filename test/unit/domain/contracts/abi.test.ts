import { describe, expect, it } from 'vitest';
import { isBasicType, readAbi, signatureOf, splitType } from '../../../../src/domain/contracts/abi.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { codeOf } from '../../../support/codes.js';

const item = {
  name: 'items',
  type: 'tuple[2][]',
  internalType: 'struct Shop.Item[2][]',
  components: [
    { name: 'price', type: 'uint' },
    { name: 'tags', type: 'string[]' },
    { name: 'origin', type: 'tuple', components: [{ name: 'country', type: 'bytes2' }] },
  ],
};

describe('readAbi', () => {
  it('reads functions, events, errors and the constructor, with their tuples', () => {
    const abi = [
      { type: 'constructor', inputs: [{ name: 'owner', type: 'address' }], stateMutability: 'nonpayable' },
      {
        type: 'function',
        name: 'order',
        inputs: [item],
        outputs: [{ name: '', type: 'bool' }],
        stateMutability: 'view',
      },
      { type: 'event', name: 'Ordered', inputs: [{ name: 'id', type: 'uint256', indexed: true }], anonymous: false },
      { type: 'error', name: 'SoldOut', inputs: [] },
    ];
    expect(readAbi(textOf(abi))).toEqual([
      { type: 'constructor', name: '', inputs: [{ name: 'owner', type: 'address' }], stateMutability: 'nonpayable' },
      {
        type: 'function',
        name: 'order',
        inputs: [{ ...item, components: [{ name: 'price', type: 'uint256' }, ...item.components.slice(1)] }],
        outputs: [{ name: '', type: 'bool' }],
        stateMutability: 'view',
      },
      { type: 'event', name: 'Ordered', inputs: [{ name: 'id', type: 'uint256', indexed: true }] },
      { type: 'error', name: 'SoldOut', inputs: [] },
    ]);
  });

  it('leaves out what cannot be called by name', () => {
    expect(readAbi(textOf([{ type: 'fallback' }, { type: 'receive', stateMutability: 'payable' }]))).toEqual([]);
  });

  it('accepts the output of older compilers: no type, and payable and constant as members', () => {
    const old = [
      { name: 'pay', payable: true },
      { name: 'look', constant: true },
    ];
    expect(readAbi(textOf(old)).map(({ stateMutability }) => stateMutability)).toEqual(['payable', 'view']);
  });

  it.each([
    ['no array', {}],
    ['an entry that is no object', ['transfer']],
    ['an entry of another type', [{ type: 'modifier', name: 'only' }]],
    ['a function without a name', [{ type: 'function' }]],
    ['a name that Solidity would not take', [{ type: 'function', name: 'a b' }]],
    ['inputs that are no array', [{ type: 'function', name: 'a', inputs: {} }]],
    ['a parameter without a type', [{ type: 'function', name: 'a', inputs: [{ name: 'x' }] }]],
    ['a type that Solidity does not have', [{ type: 'function', name: 'a', inputs: [{ name: 'x', type: 'uint7' }] }]],
    ['an array of length zero', [{ type: 'function', name: 'a', inputs: [{ name: 'x', type: 'uint8[0]' }] }]],
    ['too many entries', Array.from({ length: 2_001 }, () => ({ type: 'fallback' }))],
  ])('refuses %s', (_, abi) => {
    expect(codeOf(() => readAbi(textOf(abi)))).toBe('FF10346');
  });

  const readInputs = (...inputs: object[]) => readAbi(textOf([{ type: 'function', name: 'a', inputs }]));

  it('refuses more than 16 tuples in each other', () => {
    const nested = (tuples: number): object =>
      tuples === 0 ? { name: 'x', type: 'bool' } : { name: 'x', type: 'tuple', components: [nested(tuples - 1)] };
    expect(codeOf(() => readInputs(nested(16)))).toBeUndefined();
    expect(codeOf(() => readInputs(nested(17)))).toBe('FF10346');
  });

  it('refuses more than 256 parameters', () => {
    const inputs = Array.from({ length: 257 }, (_, i) => ({ name: `x${i}`, type: 'bool' }));
    expect(codeOf(() => readInputs(...inputs.slice(1)))).toBeUndefined();
    expect(codeOf(() => readInputs(...inputs))).toBe('FF10346');
  });
});

describe('signatureOf', () => {
  it('writes full type names, and tuples as their members', () => {
    expect(signatureOf({ name: 'order', inputs: [item, { name: '', type: 'int' }] })).toBe(
      'order((uint256,string[],(bytes2))[2][],int256)',
    );
    expect(signatureOf({ name: 'pause', inputs: [] })).toBe('pause()');
  });
});

describe('types', () => {
  it.each(['uint8', 'uint256', 'int24', 'bytes', 'bytes1', 'bytes32', 'address', 'bool', 'string'])(
    'has %s',
    (type) => {
      expect(isBasicType(type)).toBe(true);
    },
  );

  it.each(['uint', 'uint0', 'uint7', 'uint08', 'uint264', 'bytes0', 'bytes33', 'address20', 'tuple', 'fixed', ''])(
    'does not have "%s"',
    (type) => {
      expect(isBasicType(type)).toBe(false);
    },
  );

  it('strips the array suffixes of a type', () => {
    expect(splitType('tuple[2][]')).toEqual({ base: 'tuple', suffix: '[2][]' });
    expect(splitType('uint[]')).toEqual({ base: 'uint256', suffix: '[]' });
    expect(splitType('address')).toEqual({ base: 'address', suffix: '' });
  });
});
