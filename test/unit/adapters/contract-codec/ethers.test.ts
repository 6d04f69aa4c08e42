import { AbiCoder } from 'ethers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEthersCodec } from '../../../../src/adapters/contract-codec/ethers.js';
import type { AbiEntry, AbiParameter } from '../../../../src/domain/contracts/abi.js';
import { ServiceError } from '../../../../src/wire/errors/error.js';
import { textOf, valueOf } from '../../../../src/wire/json/json.js';
import { compact } from '../../../../src/wire/json/json-reader.js';

const codec = createEthersCodec();

/** A type with a value of it: as JSON, and for ethers. */
interface Example {
  readonly parameter: AbiParameter;
  readonly shown: unknown;
  readonly given: unknown;
}

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(hexOf);

function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

function example(type: string, given: unknown, shown: unknown = given): Example {
  return { parameter: { name: '', type }, given, shown };
}

const basic = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => example('uint256', value, String(value))),
  fc.bigInt({ min: -128n, max: 127n }).map((value) => example('int8', value, String(value))),
  fc.boolean().map((value) => example('bool', value)),
  hex(20).map((value) => example('address', value)),
  hex(5).map((value) => example('bytes5', value)),
  fc.uint8Array({ maxLength: 70 }).map((value) => example('bytes', hexOf(value))),
  fc
    .string({ unit: fc.constantFrom('a', 'ä', '"', '\u{1f600}'), maxLength: 40 })
    .map((value) => example('string', value)),
);

/** Arrays and tuples of the given examples; an array repeats one element. */
function within(inner: fc.Arbitrary<Example>): fc.Arbitrary<Example> {
  const arrays = fc
    .tuple(inner, fc.integer({ min: 0, max: 4 }), fc.boolean())
    .map(([{ parameter, ...each }, length, isFixed]) => {
      const type = `${parameter.type}[${isFixed && length > 0 ? length : ''}]`;
      const [given, shown] = [new Array(length).fill(each.given), new Array(length).fill(each.shown)];
      return { parameter: { ...parameter, type }, given, shown };
    });
  const tuples = fc.array(inner, { minLength: 1, maxLength: 4 }).map((members) => ({
    parameter: {
      name: '',
      type: 'tuple',
      components: members.map(({ parameter }, index) => ({ ...parameter, name: `m${index}` })),
    },
    given: members.map((member) => member.given),
    shown: Object.fromEntries(members.map((member, index) => [`m${index}`, member.shown])),
  }));
  return fc.oneof(inner, arrays, tuples);
}

function signatureOf({ type, components }: AbiParameter): string {
  return components === undefined ? type : `(${components.map(signatureOf).join(',')})${type.slice('tuple'.length)}`;
}

it('encodes and decodes like ethers, for any types', () => {
  const examples = fc.array(within(within(within(basic))), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(examples, (all) => {
      const inputs = all.map(({ parameter }, index) => ({ ...parameter, name: `a${index}` }));
      const entry: AbiEntry = { type: 'function', name: 'f', inputs, outputs: inputs };
      const shown = Object.fromEntries(all.map((each, index) => [`a${index}`, each.shown]));
      const expected = AbiCoder.defaultAbiCoder().encode(
        inputs.map(signatureOf),
        all.map((each) => each.given),
      );
      const data = codec.encodeCall(entry, textOf(shown));
      expect(data.slice(10)).toBe(expected.slice(2));
      expect(valueOf(codec.decodeOutput(entry, expected))).toEqual(shown);
    }),
    { numRuns: 500 },
  );
});

it('throws only its own error, for any data', () => {
  const types = ['uint8[]', 'bytes[2][]', 'string', 'address[3]', 'uint256[][][]', 'bool'];
  const word = fc.oneof(fc.integer({ min: 0, max: 300 }).map(BigInt), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));
  const data = fc
    .array(word, { maxLength: 30 })
    .map((words) => `0x${words.map((each) => each.toString(16).padStart(64, '0')).join('')}`);
  fc.assert(
    fc.property(fc.subarray(types, { minLength: 1 }), data, (chosen, text) => {
      const inputs = chosen.map((type, index) => ({ name: `a${index}`, type }));
      const event: AbiEntry = { type: 'event', name: 'E', inputs };
      const decode = (): unknown => codec.decodeEvent(event, { topics: [codec.topicOf(event)], data: text });
      try {
        decode();
      } catch (error) {
        expect(error).toMatchObject({ name: 'CodecError' });
      }
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['uint8', 'from 0 to 255,'],
  ['int64', 'from -9223372036854775808 to 9223372036854775807,'],
  ['uint256', 'from 0 to 2^256 - 1,'],
  ['int256', 'from -2^255 to 2^255 - 1,'],
])('names the limits of %s in an error that is not cut', (type, range) => {
  const method: AbiEntry = { type: 'function', name: 'set', inputs: [{ name: 'a', type }] };
  const expected = `a whole number ${range} as number or as text`;
  expect(() => codec.encodeCall(method, compact('{"a":1.5}'))).toThrow(expect.objectContaining({ expected }));
  expect(new ServiceError('argument_wrong', { field: 'input.a', expected }).message).toContain(expected);
});
