import { describe, expect, it } from 'vitest';
import { callInput } from '../../../../src/cli/contracts/input.js';
import { compact } from '../../../../src/wire/json/json-reader.js';

const parameter = (name: string, type: string) => {
  return { name, schema: compact(`{"type":"string","details":{"type":"${type}"}}`) };
};
const addressOf = (word: string) => (word === 'bob' ? '0xb0b' : word);

describe('the arguments of a call', () => {
  it('are sent by name, with numbers as digits, names for addresses and lists as JSON', () => {
    const types = ['address', 'uint256', 'bool', 'string', 'uint8[2]', 'tuple'];
    const method = { name: 'open', params: types.map((type, n) => parameter(`p${n}`, type)) };
    const words = ['bob', '12345678901234567890', 'true', 'bob', '[1, 2]', '{"n": 1.0}'];
    expect(callInput(method, words, addressOf)).toBe(
      '{"p0":"0xb0b","p1":"12345678901234567890","p2":true,"p3":"bob","p4":[1,2],"p5":{"n":1.0}}',
    );
  });

  it('are refused if there are too few, with the known ones', () => {
    const method = { name: 'open', params: [parameter('seller', 'address')] };
    expect(() => callInput(method, [], addressOf)).toThrow('open takes (address seller), not 0 arguments.');
    expect(() => callInput({ name: 'count', params: [] }, ['1'], addressOf)).toThrow('count takes no arguments');
  });
});
