import { describe, expect, it } from 'vitest';
import type { AbiEntry, AbiParameter } from '../../src/domain/contracts/abi.js';
import { CodecError, type ContractCodec } from '../../src/ports/contract-codec.js';
import { compact } from '../../src/wire/json/json-reader.js';
import { describeCodecLimits } from './contract-codec/limits.js';
import { describeValues } from './contract-codec/values.js';

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0');
const address = `0x${'ab'.repeat(20)}`;

/** A function with these inputs; unnamed ones are given by position. */
function functionOf(name: string, inputs: readonly string[], outputs: readonly AbiParameter[] = []): AbiEntry {
  return { type: 'function', name, inputs: inputs.map((type, index) => ({ name: `a${index}`, type })), outputs };
}

/** Returns the path of the refused argument; undefined if nothing is thrown. */
function refusedPath(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof CodecError) return error.path;
    throw error;
  }
}

const transfer: AbiEntry = {
  type: 'event',
  name: 'Transfer',
  inputs: [
    { name: 'from', type: 'address', indexed: true },
    { name: 'to', type: 'address', indexed: true },
    { name: 'value', type: 'uint256' },
  ],
};
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** The obligations of `ports/contract-codec.ts`. */
export function describeContractCodec(adapter: string, create: () => ContractCodec): void {
  describe(`contract codec: ${adapter}`, () => {
    describeCalls(create());
    describeLogs(create());
    describeValues(create());
    describeCodecLimits(create());
  });
}

function describeCalls(codec: ContractCodec): void {
  it('encodes the examples of the ABI specification', () => {
    expect(codec.encodeCall(functionOf('baz', ['uint32', 'bool']), compact('{"a0":69,"a1":true}'))).toBe(
      `0xcdcd77c0${word(69)}${word(1)}`,
    );
    const sam = functionOf('sam', ['bytes', 'bool', 'uint256[]']);
    expect(codec.encodeCall(sam, compact('{"a0":"0x64617665","a1":true,"a2":[1,"2","0x3"]}'))).toBe(
      `0xa5643bf2${word(0x60)}${word(1)}${word(0xa0)}${word(4)}${'64617665'.padEnd(64, '0')}${word(3)}` +
        `${word(1)}${word(2)}${word(3)}`,
    );
    expect(codec.encodeCall(functionOf('bar', ['bytes3[2]']), compact('{"a0":["0x616263","646566"]}'))).toBe(
      `0xfce353f6${'616263'.padEnd(64, '0')}${'646566'.padEnd(64, '0')}`,
    );
  });

  it('recognises an event by the hash of its signature', () => {
    expect(codec.topicOf(transfer)).toBe(transferTopic);
  });

  it('names the argument that is missing, and the one that is invalid', () => {
    const set = functionOf('set', ['uint8', 'bool']);
    expect(refusedPath(() => codec.encodeCall(set, compact('{"a0":1}')))).toBe('a1');
    expect(refusedPath(() => codec.encodeCall(set, compact('{"a0":256,"a1":true}')))).toBe('a0');
    expect(refusedPath(() => codec.encodeCall(set, compact('[1,true]')))).toBe('');
  });

  it('appends the arguments of the constructor to the creation code', () => {
    const constructor: AbiEntry = { type: 'constructor', name: '', inputs: [{ name: 'max', type: 'uint256' }] };
    expect(codec.encodeDeploy('0x6080', constructor, [compact('7')])).toBe(`0x6080${word(7)}`);
    expect(codec.encodeDeploy('0x6080', undefined, [])).toBe('0x6080');
    expect(refusedPath(() => codec.encodeDeploy('0x6080', constructor, []))).toBe('');
    expect(refusedPath(() => codec.encodeDeploy('0x6080', constructor, [compact('-1')]))).toBe('[0]');
  });

  it('returns results by name, and unnamed ones by position', () => {
    const unnamed = ['uint256', 'address', 'bool'].map((type) => ({ name: '', type }));
    const named = { ...functionOf('stats', [], unnamed), outputs: [...unnamed, { name: 'last', type: 'int8' }] };
    const data = `0x${word(9007199254740993n)}${address.slice(2).padStart(64, '0')}${word(1)}${'f'.repeat(64)}`;
    expect(codec.decodeOutput(named, data)).toBe(
      `{"output":"9007199254740993","output1":"${address}","output2":true,"last":"-1"}`,
    );
  });

  it('reports that an address without a contract returns nothing', () => {
    const get = functionOf('get', [], [{ name: '', type: 'uint256' }]);
    expect(refusedPath(() => codec.decodeOutput(get, '0x'))).toBe('');
    expect(codec.decodeOutput(functionOf('touch', []), '0x')).toBe('{}');
  });
}

function describeLogs(codec: ContractCodec): void {
  it('reads an event from its topics and data', () => {
    const log = {
      topics: [transferTopic, `0x${word(0)}`, `0x${address.slice(2).padStart(64, '0')}`],
      data: `0x${word(2n ** 256n - 1n)}`,
    };
    expect(codec.decodeEvent(transfer, log)).toBe(
      `{"from":"0x${'0'.repeat(40)}","to":"${address}","value":"${2n ** 256n - 1n}"}`,
    );
  });

  it('returns only the hash of indexed text, bytes, arrays and tuples', () => {
    const inputs = [{ name: 'name', type: 'string', indexed: true }];
    const named: AbiEntry = { type: 'event', name: 'Named', inputs };
    const hash = `0x${'c'.repeat(64)}`;
    expect(codec.decodeEvent(named, { topics: [codec.topicOf(named), hash], data: '0x' })).toBe(`{"name":"${hash}"}`);
  });

  it('ignores a log of another event, or one that is too short', () => {
    const topics = [transferTopic, `0x${word(0)}`, `0x${word(0)}`];
    const other = { ...transfer, name: 'Moved' };
    expect(codec.decodeEvent(other, { topics, data: `0x${word(1)}` })).toBeUndefined();
    expect(codec.decodeEvent(transfer, { topics: topics.slice(0, 2), data: `0x${word(1)}` })).toBeUndefined();
    expect(codec.decodeEvent(transfer, { topics, data: '0x' })).toBeUndefined();
  });

  it('reads an anonymous event, which has no signature topic', () => {
    const anonymous = { ...transfer, anonymous: true };
    const topics = [`0x${word(1)}`, `0x${word(2)}`];
    expect(codec.decodeEvent(anonymous, { topics, data: `0x${word(3)}` })).toContain('"value":"3"');
  });

  it('describes why a contract has refused', () => {
    const error: AbiEntry = { type: 'error', name: 'TooLarge', inputs: [{ name: 'max', type: 'uint256' }] };
    const errors = [error];
    const tooLarge = `0x${codec.topicOf({ ...error, type: 'event' }).slice(2, 10)}${word(7)}`;
    expect(codec.decodeError(errors, tooLarge)).toBe('TooLarge(7)');
    expect(codec.decodeError([], tooLarge)).toBeUndefined();
    const message = `${word(0x20)}${word(4)}${'6e6f6e65'.padEnd(64, '0')}`;
    expect(codec.decodeError(errors, `0x08c379a0${message}`)).toBe('none');
    expect(codec.decodeError(errors, `0x08c379a0${word(0x20)}${word(0)}`)).toBeUndefined();
    expect(codec.decodeError(errors, `0x4e487b71${word(17)}`)).toBe('Panic(17)');
    expect(codec.decodeError(errors, '0x08c379a0ff')).toBeUndefined();
    expect(codec.decodeError(errors, '0x')).toBeUndefined();
  });
}
