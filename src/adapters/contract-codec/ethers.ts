import { AbiCoder, id } from 'ethers';
import { type AbiEntry, type AbiParameter, signatureOf } from '../../domain/contract-abi.js';
import { CodecError, type ContractCodec } from '../../ports/contract-codec.js';
import { textOf } from '../../wire/json.js';
import { membersOf } from '../../wire/json-reader.js';
import type { JsonText } from '../../wire/scalar.js';
import { toSolidity } from './encode.js';
import { decodeValues, isHashedInTopics } from './decode.js';
import { typeOf } from './type.js';

const coder = AbiCoder.defaultAbiCoder();
const selectorCharacters = 10;

/** Errors that every contract can revert with. */
const builtIn: readonly AbiEntry[] = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'code', type: 'uint256' }] },
];

/** Solidity's ABI by ethers' coder. JSON is read and written here, since numbers must not pass through floats. */
export function createEthersCodec(): ContractCodec {
  return {
    topicOf,

    encodeCall(method, input) {
      const given = membersOf(input);
      if (given === undefined) throw new CodecError('', 'an object of arguments by name');
      const values = method.inputs.map((parameter) => {
        const value = given.get(parameter.name);
        if (value === undefined) throw new CodecError(parameter.name, `given, as ${parameter.type}`);
        return toSolidity(parameter, value, parameter.name);
      });
      return `${selectorOf(method)}${encode(method.inputs, values)}`;
    },

    encodeDeploy(bytecode, constructor, input) {
      const inputs = constructor?.inputs ?? [];
      if (input.length !== inputs.length) {
        throw new CodecError('', `as many as the constructor takes, ${inputs.length}, not ${input.length}`);
      }
      const values = inputs.flatMap((parameter, index) => {
        const value = input[index];
        return value === undefined ? [] : [toSolidity(parameter, value, `[${index}]`)];
      });
      return `${bytecode}${encode(inputs, values)}`;
    },

    decodeOutput({ name, outputs = [] }, data) {
      const values = decodeOrUndefined(outputs, data);
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

/** Without the `0x`. */
function encode(parameters: readonly AbiParameter[], values: readonly unknown[]): string {
  return coder.encode(parameters.map(typeOf), values).slice(2);
}

/** What is indexed is in the topics, in its order; of what has no fixed size there is only the hash. */
function decodeEvent(
  event: AbiEntry,
  { topics, data }: { readonly topics: readonly string[]; readonly data: string },
): JsonText | undefined {
  const isAnonymous = event.anonymous === true;
  if (!isAnonymous && topics[0] !== topicOf(event)) return undefined;
  const words = isAnonymous ? topics : topics.slice(1);
  const indexed = event.inputs.filter((parameter) => parameter.indexed === true);
  if (words.length !== indexed.length) return undefined;
  const inData = decodeOrUndefined(
    event.inputs.filter((parameter) => parameter.indexed !== true),
    data,
  );
  const inTopics = indexed.map((parameter, place) => {
    const word = words[place] ?? '0x';
    return isHashedInTopics(parameter) ? [word] : decodeOrUndefined([parameter], word);
  });
  if (inData === undefined || inTopics.includes(undefined)) return undefined;
  const [fromTopics, fromData] = [inTopics.flatMap((values) => values ?? []), [...inData]];
  const values = event.inputs.map((parameter) => (parameter.indexed === true ? fromTopics : fromData).shift());
  return textOf(named(event.inputs, values));
}

function decodeError(errors: readonly AbiEntry[], data: string): string | undefined {
  const selector = data.slice(0, selectorCharacters).toLowerCase();
  const error = [...errors, ...builtIn].find((each) => selectorOf(each) === selector);
  const values =
    error === undefined ? undefined : decodeOrUndefined(error.inputs, `0x${data.slice(selectorCharacters)}`);
  if (error === undefined || values === undefined) return undefined;
  const words = values.map((value) => (typeof value === 'string' ? value : textOf(value)));
  return error.name === 'Error' ? words.join('') : `${error.name}(${words.join(', ')})`;
}

/** Contracts and servers may put anything here: what cannot be read is not what was looked for. */
function decodeOrUndefined(parameters: readonly AbiParameter[], data: string): readonly unknown[] | undefined {
  try {
    return decodeValues(parameters, data);
  } catch {
    return undefined;
  }
}

/** Results without a name are known by their place. */
function named(parameters: readonly AbiParameter[], values: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    parameters.map(({ name }, index) => {
      const place = index === 0 ? 'output' : `output${index}`;
      return [name === '' ? place : name, values[index]];
    }),
  );
}
