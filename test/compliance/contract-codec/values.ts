import { expect, it } from 'vitest';
import type { AbiEntry, AbiParameter } from '../../../src/domain/contracts/abi.js';
import { CodecError, type ContractCodec } from '../../../src/ports/contract-codec.js';
import { compact } from '../../../src/wire/json/json-reader.js';

/** A value as JSON text, and the resulting text by docs/api.md §20. */
const exchanged: readonly [type: string, given: string, shown: string][] = [
  ['uint256', '9007199254740993', '"9007199254740993"'],
  ['uint256', '"9007199254740993"', '"9007199254740993"'],
  ['uint256', `"0x${'f'.repeat(64)}"`, `"${2n ** 256n - 1n}"`],
  ['uint256', `${2n ** 256n - 1n}`, `"${2n ** 256n - 1n}"`],
  ['uint256', '"007"', '"7"'],
  ['uint', '0', '"0"'],
  ['int8', '-128', '"-128"'],
  ['int256', `"-${2n ** 255n}"`, `"-${2n ** 255n}"`],
  ['bool', 'true', 'true'],
  ['bool', '"false"', 'false'],
  ['string', '"\\u00e4 \\"quoted\\""', '"ä \\"quoted\\""'],
  ['bytes', '"0xABcd"', '"0xabcd"'],
  ['bytes', '""', '"0x"'],
  ['bytes4', '"0x01020304"', '"0x01020304"'],
  ['address', `"0x${'Ab'.repeat(20)}"`, `"0x${'ab'.repeat(20)}"`],
  ['uint8[]', '[1,"2"]', '["1","2"]'],
  ['uint8[]', '[]', '[]'],
  ['uint8[2][]', '[[1,2],[3,4]]', '[["1","2"],["3","4"]]'],
  ['string[][2]', '[["a"],[]]', '[["a"],[]]'],
];

const refused: readonly [type: string, given: string, path: string][] = [
  ['uint8', '256', 'a'],
  ['uint8', '-1', 'a'],
  ['uint8', '1.0', 'a'],
  ['uint8', '1e1', 'a'],
  ['uint8', '"one"', 'a'],
  ['uint8', 'null', 'a'],
  ['uint8', '[1]', 'a'],
  ['int8', '128', 'a'],
  ['int8', '"-0x1"', 'a'],
  ['uint256', `${2n ** 256n}`, 'a'],
  ['bool', '1', 'a'],
  ['string', '1', 'a'],
  ['string', '"\\ud800"', 'a'],
  ['bytes', '"0xabc"', 'a'],
  ['bytes', '[1]', 'a'],
  ['bytes4', '"0x010203"', 'a'],
  ['address', '"0x01"', 'a'],
  ['uint8[]', '{"0":1}', 'a'],
  ['uint8[]', '[1,300]', 'a[1]'],
  ['uint8[2]', '[1]', 'a'],
  ['uint8[2][]', '[[1,2],[3,"x"]]', 'a[1][1]'],
];

const orders: AbiParameter = {
  name: 'orders',
  type: 'tuple[]',
  components: [
    { name: 'id', type: 'uint256' },
    { name: 'items', type: 'tuple[2]', components: [{ name: 'tags', type: 'string[]' }] },
    { name: '', type: 'bool' },
  ],
};

/** Tests values of all kinds, encoded and decoded. */
export function describeValues(codec: ContractCodec): void {
  const echo = (parameter: AbiParameter): AbiEntry => ({
    type: 'function',
    name: 'echo',
    inputs: [parameter],
    outputs: [parameter],
  });

  function exchange(parameter: AbiParameter, given: string): string {
    const data = codec.encodeCall(echo(parameter), compact(`{"${parameter.name}":${given}}`));
    return codec.decodeOutput(echo(parameter), `0x${data.slice(10)}`);
  }

  function pathOf(parameter: AbiParameter, given: string): string {
    try {
      return `no refusal: ${exchange(parameter, given)}`;
    } catch (error) {
      if (error instanceof CodecError) return error.path;
      throw error;
    }
  }

  it.each(exchanged)('accepts for %s the text %s and returns it as %s', (type, given, shown) => {
    expect(exchange({ name: 'a', type }, given)).toBe(`{"a":${shown}}`);
  });

  it.each(refused)('refuses for %s the text %s, and names %s', (type, given, path) => {
    expect(pathOf({ name: 'a', type }, given)).toBe(path);
  });

  it('accepts tuples as objects with any order of members, and returns them in their own order', () => {
    const given = '[{"0":0,"items":[{"tags":["a","b"]},{"tags":[]}],"id":"7","2":true}]';
    expect(pathOf(orders, given)).toBe('orders[0].0');
    expect(exchange(orders, '[{"2":true,"items":[{"tags":["a","b"]},{"tags":[]}],"id":"7"}]')).toBe(
      '{"orders":[{"2":true,"id":"7","items":[{"tags":["a","b"]},{"tags":[]}]}]}',
    );
  });

  it('names an error deep within a tuple', () => {
    const order = (items: string) => `[{"id":1,"items":${items},"2":true}]`;
    expect(pathOf(orders, order('[{"tags":["a"]},{"tags":[1]}]'))).toBe('orders[0].items[1].tags[0]');
    expect(pathOf(orders, order('[{"tags":["a"]},{}]'))).toBe('orders[0].items[1].tags');
    expect(pathOf(orders, order('[{"tags":["a"]}]'))).toBe('orders[0].items');
    expect(pathOf(orders, '[7]')).toBe('orders[0]');
  });

  it('shows invalid text with replacement characters', () => {
    const data = `0x${'20'.padStart(64, '0')}${'02'.padStart(64, '0')}${'ff00'.padEnd(64, '0')}`;
    expect(codec.decodeOutput(echo({ name: 'a', type: 'string' }), data)).toBe('{"a":"\uFFFD\uFFFD"}');
  });
}
