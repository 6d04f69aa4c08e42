import { describe, expect, it } from 'vitest';
import type { AbiParameter } from '../../../../src/domain/contracts/abi.js';
import { abiParameter, ffiParameter } from '../../../../src/domain/contracts/schema.js';
import { textOf, valueOf } from '../../../../src/wire/json/json.js';
import { codeOf } from '../../../support/codes.js';

const boxes: AbiParameter = {
  name: 'boxes',
  type: 'tuple[]',
  internalType: 'struct Storage.Box[]',
  components: [
    { name: 'weight', type: 'uint256', internalType: 'uint256' },
    {
      name: 'contents',
      type: 'tuple[3][]',
      internalType: 'struct Storage.Content[3][]',
      components: [{ name: 'label', type: 'string', internalType: 'string' }],
    },
  ],
};

function schemaOf(parameter: AbiParameter): unknown {
  return valueOf(ffiParameter(parameter).schema);
}

describe('ffiParameter', () => {
  it('allows text or number for whole numbers, and has their Solidity type', () => {
    expect(schemaOf({ name: 'amount', type: 'uint256', internalType: 'uint256', indexed: true })).toMatchObject({
      oneOf: [{ type: 'string' }, { type: 'integer' }],
      details: { type: 'uint256', internalType: 'uint256', indexed: true },
    });
  });

  it.each([
    ['bool', 'boolean'],
    ['string', 'string'],
    ['address', 'string'],
    ['bytes', 'string'],
    ['bytes32', 'string'],
  ])('says of %s that it is a %s', (type, expected) => {
    expect(schemaOf({ name: 'x', type })).toMatchObject({ type: expected, details: { type } });
  });

  it('makes arrays of arrays, with details on the outermost only', () => {
    expect(schemaOf({ name: 'names', type: 'string[][]', internalType: 'string[][]' })).toEqual({
      type: 'array',
      details: { type: 'string[][]', internalType: 'string[][]' },
      items: { type: 'array', items: { type: 'string' } },
    });
  });

  it('makes objects of tuples, whose members have positions', () => {
    expect(schemaOf(boxes)).toMatchObject({
      type: 'array',
      details: { type: 'tuple[]', internalType: 'struct Storage.Box[]' },
      items: {
        type: 'object',
        properties: {
          weight: { details: { type: 'uint256', index: 0 } },
          contents: {
            type: 'array',
            details: { type: 'tuple[3][]', internalType: 'struct Storage.Content[3][]', index: 1 },
            items: {
              type: 'array',
              items: { type: 'object', properties: { label: { type: 'string', details: { index: 0 } } } },
            },
          },
        },
      },
    });
  });
});

describe('abiParameter', () => {
  it.each<AbiParameter>([
    { name: 'x', type: 'uint8', internalType: 'enum Shop.State' },
    { name: 'x', type: 'int256[4][]' },
    { name: 'x', type: 'bytes32', indexed: true },
    boxes,
    { name: '', type: 'tuple', components: [] },
  ])('reads what ffiParameter writes: $type', (parameter) => {
    expect(abiParameter(ffiParameter(parameter), 'params[x]')).toEqual(parameter);
  });

  it('orders the members of a tuple by their positions', () => {
    const schema = textOf({
      type: 'object',
      details: { type: 'tuple' },
      properties: {
        second: { type: 'string', details: { type: 'string', index: 1 } },
        first: { type: 'integer', details: { type: 'uint256', index: 0 } },
      },
    });
    expect(abiParameter({ name: 'pair', schema }, 'params[pair]').components?.map(({ name }) => name)).toEqual([
      'first',
      'second',
    ]);
  });

  it("accepts the schemas of FireFly's documented format", () => {
    const schema = textOf({ type: 'integer', details: { type: 'uint256', internalType: 'uint256' } });
    expect(abiParameter({ name: 'newValue', schema }, 'params[newValue]')).toEqual({
      name: 'newValue',
      type: 'uint256',
      internalType: 'uint256',
    });
  });

  it.each([
    ['text of what is written as text in JSON', { type: 'string', details: { type: 'uint256' } }],
    ['text of what is true or false', { type: 'string', details: { type: 'bool' } }],
    ['several forms', { type: ['string', 'integer'], details: { type: 'int64' } }],
    ['anything, where nothing is said', { details: { type: 'address' } }],
    [
      'arrays of several forms',
      { type: 'array', details: { type: 'int8[2]' }, items: { oneOf: [{ type: 'integer' }] } },
    ],
  ])('takes %s', (_, schema) => {
    expect(abiParameter({ name: 'x', schema: textOf(schema) }, 'params[x]').type).toBe(schema.details.type);
  });

  it.each([
    ['a schema that is no object', true],
    ['no details', { type: 'integer' }],
    ['details without a type', { type: 'integer', details: {} }],
    ['a type that Solidity does not have', { type: 'integer', details: { type: 'uint7' } }],
    ['an array without items', { type: 'array', details: { type: 'uint256[]' } }],
    ['an array that is said to be text', { type: 'string', details: { type: 'uint256[]' } }],
    ['fewer arrays than Solidity has', { type: 'array', details: { type: 'bool[][]' }, items: { type: 'boolean' } }],
    ['text that is said to be a number', { type: 'integer', details: { type: 'string' } }],
    ['an address that is said to be a number', { type: 'integer', details: { type: 'address' } }],
    ['a number that is said to be true or false', { type: 'boolean', details: { type: 'uint256' } }],
    ['a number that is said to be an object', { type: 'object', details: { type: 'uint256' } }],
    ['a number that is said to be an array', { type: 'array', items: {}, details: { type: 'uint256' } }],
    [
      'a number of which one form is none',
      { oneOf: [{ type: 'string' }, { type: 'boolean' }], details: { type: 'int8' } },
    ],
    ['what is wrong within arrays', { type: 'array', details: { type: 'bool[]' }, items: { type: 'integer' } }],
    ['a form that is not even named', { type: 5, details: { type: 'uint256' } }],
    ['a tuple that is no object', { type: 'array', details: { type: 'tuple' } }],
    ['a tuple whose members have no place', tupleOf({ a: { type: 'string', details: { type: 'string' } } })],
    ['a tuple whose members begin at 1', tupleOf({ a: { type: 'string', details: { type: 'string', index: 1 } } })],
    [
      'a tuple with two members at one place',
      tupleOf({
        a: { type: 'string', details: { type: 'string', index: 0 } },
        b: { type: 'string', details: { type: 'string', index: 0 } },
      }),
    ],
  ])('refuses %s', (_, schema) => {
    expect(codeOf(() => abiParameter({ name: 'x', schema: textOf(schema) }, 'params[x]'))).toBe('FF10332');
  });

  it('refuses more than 16 tuples in each other', () => {
    const nested = (tuples: number): object => (tuples === 0 ? textAt(0) : tupleOf({ a: nested(tuples - 1) }));
    const read = (tuples: number) => abiParameter({ name: 'x', schema: textOf(nested(tuples)) }, 'params[x]');
    expect(codeOf(() => read(16))).toBeUndefined();
    expect(codeOf(() => read(17))).toBe('FF10332');
  });

  it('refuses tuples of more than 256 members', () => {
    const members = (count: number) => Array.from({ length: count }, (_, i) => [`m${i}`, textAt(i)] as const);
    const read = (count: number) =>
      abiParameter({ name: 'x', schema: textOf(tupleOf(Object.fromEntries(members(count)))) }, 'params[x]');
    expect(codeOf(() => read(256))).toBeUndefined();
    expect(codeOf(() => read(257))).toBe('FF10332');
  });
});

function textAt(index: number): object {
  return { type: 'string', details: { type: 'string', index } };
}

function tupleOf(properties: object): object {
  return { type: 'object', details: { type: 'tuple', index: 0 }, properties };
}
