import { id } from 'ethers';
import { type AbiEntry, type AbiParameter, signatureOf } from '../../domain/contracts/abi.js';
import { CodecError, type ContractCodec } from '../../ports/contract-codec.js';
import { textOf } from '../../wire/json/json.js';
import { membersOf } from '../../wire/json/json-reader.js';
import type { JsonText } from '../../wire/scalar.js';
import { decodeValues, isHashedInTopics } from './decode.js';
import { encodeValues } from './encode.js';

const selectorCharacters = 10;

/** Errors that every contract can revert with. */
const builtIn: readonly AbiEntry[] = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'code', type: 'uint256' }] },
];

/**
 * Creates the codec, with hashes from ethers. Values are encoded and decoded by Parley's own code: numbers must not
 * pass through floats, and the coder of ethers allocates what types request before it checks the data, and encodes only
 * 10,000 words a second.
 */
export function createEthersCodec(): ContractCodec {
  return {
    topicOf,

    encodeCall(method, input) {
      const given = membersOf(input);
      if (given === undefined) throw new CodecError('', 'an object of arguments by name');
      const values = method.inputs.map((parameter) => {
        const text = given.get(parameter.name);
        if (text === undefined) throw new CodecError(parameter.name, `given, as ${parameter.type}`);
        return { parameter, text, path: parameter.name };
      });
      return `${selectorOf(method)}${encodeValues(values)}`;
    },

    encodeDeploy(bytecode, constructor, input) {
      const inputs = constructor?.inputs ?? [];
      if (input.length !== inputs.length) {
        throw new CodecError('', `as many as the constructor takes, ${inputs.length}, not ${input.length}`);
      }
      const values = inputs.flatMap((parameter, index) => {
        const text = input[index];
        return text === undefined ? [] : [{ parameter, text, path: `[${index}]` }];
      });
      return `${bytecode}${encodeValues(values)}`;
    },

    decodeOutput({ name, outputs = [] }, data) {
      const values = decodeValues(outputs, data);
      if (values === undefined) throw new CodecError('', `what ${name} gives, and the contract has given ${data}`);
      return textOf(named(outputs, values));
    },

    decodeEvent,
    decodeError,
  };
}

function topicOf(event: AbiEntry): string {
  return id(signatureOf(event));
}

function selectorOf(entry: AbiEntry): string {
  return id(signatureOf(entry)).slice(0, selectorCharacters);
}

/** Decodes an event. Indexed parameters are in the topics, in order; dynamic ones only as hashes. */
function decodeEvent(
  event: AbiEntry,
  { topics, data }: { readonly topics: readonly string[]; readonly data: string },
): JsonText | undefined {
  const isAnonymous = event.anonymous === true;
  if (!isAnonymous && topics[0] !== topicOf(event)) return undefined;
  const words = isAnonymous ? topics : topics.slice(1);
  const indexed = event.inputs.filter((parameter) => parameter.indexed === true);
  if (words.length !== indexed.length) return undefined;
  const inData = decodeValues(
    event.inputs.filter((parameter) => parameter.indexed !== true),
    data,
  );
  const inTopics = indexed.map((parameter, place) => {
    const word = words[place] ?? '0x';
    return isHashedInTopics(parameter) ? [word] : decodeValues([parameter], word);
  });
  if (inData === undefined || inTopics.includes(undefined)) return undefined;
  const [fromTopics, fromData] = [inTopics.flatMap((values) => values ?? []), [...inData]];
  const values = event.inputs.map((parameter) => (parameter.indexed === true ? fromTopics : fromData).shift());
  return textOf(named(event.inputs, values));
}

function decodeError(errors: readonly AbiEntry[], data: string): string | undefined {
  const selector = data.slice(0, selectorCharacters).toLowerCase();
  const error = [...errors, ...builtIn].find((each) => selectorOf(each) === selector);
  if (error === undefined) return undefined;
  const values = decodeIfPossible(error.inputs, `0x${data.slice(selectorCharacters)}`);
  if (values === undefined) return undefined;
  const words = values.map((value) => (typeof value === 'string' ? value : textOf(value)));
  // An empty text, as of `revert("")`, gives no reason.
  if (error.name === 'Error') return words.join('') || undefined;
  return `${error.name}(${words.join(', ')})`;
}

function decodeIfPossible(parameters: readonly AbiParameter[], data: string): readonly unknown[] | undefined {
  try {
    return decodeValues(parameters, data);
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}

/** Values by name; unnamed ones by position. */
function named(parameters: readonly AbiParameter[], values: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    parameters.map(({ name }, index) => {
      const place = index === 0 ? 'output' : `output${index}`;
      return [name === '' ? place : name, values[index]];
    }),
  );
}
