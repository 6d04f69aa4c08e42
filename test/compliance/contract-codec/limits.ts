import { expect, it } from 'vitest';
import type { AbiEntry, AbiParameter } from '../../../src/domain/contracts/abi.js';
import { CodecError, type ContractCodec } from '../../../src/ports/contract-codec.js';
import { compact } from '../../../src/wire/json/json-reader.js';

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0');
const none: AbiParameter = { name: 'a', type: 'tuple', components: [] };

/** Data of nested lists that share their contents: `length` to the power of `depth` values in a few words. */
function shared(depth: number, length: number): string {
  const places = new Array<string>(length).fill(word(length * 32)).join('');
  const inner = `${word(length)}${word(7).repeat(length)}`;
  return `0x${word(32)}${`${word(length)}${places}`.repeat(depth - 1)}${inner}`;
}

/** The same bytes fifty thousand times. */
function sharedBytes(): string {
  const count = 50_000;
  return `0x${word(32)}${word(count)}${word(count * 32).repeat(count)}${word(32_000)}${'ab'.repeat(32_000)}`;
}

/** Types and data that decode to far more than their length, each with its value if it is valid. */
const greedy: readonly [what: string, parameter: Omit<AbiParameter, 'name'>, data: string][] = [
  ['a fixed length of a billion', { type: 'uint256[999999999]' }, `0x${word(1)}`],
  ['a fixed length of a billion texts', { type: 'string[999999999]' }, `0x${word(32)}`],
  ['a product of fixed lengths', { type: 'uint8[1000][1000][1000]' }, `0x${word(1).repeat(100)}`],
  ['a fixed length in a list', { type: 'uint8[999999999][]' }, `0x${word(32)}${word(1)}`],
  ['a billion of nothing', { type: 'tuple[999999999]', components: [] }, '0x'],
  ['a product of nothing', { type: 'tuple[9999][9999]', components: [] }, '0x'],
  ['a fixed length in a tuple', { type: 'tuple', components: [{ ...none, type: 'bool[999999999]' }] }, '0x'],
  ['lists that share their elements', { type: `uint256${'[]'.repeat(8)}` }, shared(8, 50)],
  ['bytes that many elements share', { type: 'bytes[]' }, sharedBytes()],
];

/** Types and data that only seem to be long: they belong to another event, or are truncated. */
const short: readonly [what: string, type: string, data: string][] = [
  ['a length that is not there', 'uint256[]', `0x${word(32)}${word(2n ** 255n)}`],
  ['a length beyond the end', 'uint256[]', `0x${word(32)}${word(3)}${word(1)}`],
  ['a place beyond the end', 'bytes', `0x${word(2n ** 64n)}`],
  ['a text beyond the end', 'string', `0x${word(32)}${word(33)}${word(1)}`],
  ['a fixed length that is not there', 'uint256[4]', `0x${word(1).repeat(3)}`],
  ['no words', 'uint256', '0xabc'],
];

/** Tests that the codec uses no more time and memory than the length of its input requires. */
export function describeCodecLimits(codec: ContractCodec): void {
  const event = (parameter: AbiParameter): AbiEntry => ({ type: 'event', name: 'Said', inputs: [parameter] });
  const method = (parameter: AbiParameter): AbiEntry => ({
    type: 'function',
    name: 'echo',
    inputs: [parameter],
    outputs: [parameter],
  });
  const decodeEvent = (parameter: AbiParameter, data: string) =>
    codec.decodeEvent(event(parameter), { topics: [codec.topicOf(event(parameter))], data });

  it.each(greedy)('refuses to decode %s', (_, type, data) => {
    const parameter = { name: 'a', ...type };
    expect(() => codec.decodeOutput(method(parameter), data)).toThrow(CodecError);
    expect(() => decodeEvent(parameter, data)).toThrow(CodecError);
    const error: AbiEntry = { type: 'error', name: 'Said', inputs: [parameter] };
    const selector = codec.topicOf(event(parameter)).slice(0, 10);
    expect(codec.decodeError([error], `${selector}${data.slice(2)}`)).toBeUndefined();
  });

  it.each(short)('does not accept %s', (_, type, data) => {
    const parameter = { name: 'a', type };
    expect(() => codec.decodeOutput(method(parameter), data)).toThrow(CodecError);
    expect(decodeEvent(parameter, data)).toBeUndefined();
  });

  it('decodes data of any length that matches its content', () => {
    const parameter = { name: 'a', type: 'uint8[1][2][]' };
    const data = `0x${word(32)}${word(10_000)}${word(1).repeat(20_000)}`;
    expect(decodeEvent(parameter, data)).toBe(`{"a":[${new Array(10_000).fill('[["1"],["1"]]').join(',')}]}`);
  });

  it('encodes as much as a transaction can carry, and refuses more', () => {
    const list = { name: 'a', type: 'uint256[]' };
    const given = (length: number) => compact(`{"a":[${new Array(length).fill('1').join(',')}]}`);
    expect(codec.encodeCall(method(list), given(65_000))).toHaveLength(10 + 64 * 65_002);
    expect(() => codec.encodeCall(method(list), given(400_000))).toThrow(CodecError);
    expect(() => codec.encodeCall(method({ ...none, type: 'uint8[999999999]' }), given(1))).toThrow(CodecError);
    expect(codec.encodeCall(method({ ...none, type: 'tuple[]' }), compact('{"a":[{},{}]}'))).toHaveLength(10 + 64 * 2);
  });
}
