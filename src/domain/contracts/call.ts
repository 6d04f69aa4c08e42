import { ServiceError } from '../../wire/errors/error.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import { compact, membersOf } from '../../wire/json/json-reader.js';
import { nearestHint } from '../../wire/lists/query.js';
import { type JsonText, noValue } from '../../wire/scalar.js';
import type { AbiEntry } from './abi.js';

/** The options of a contract call. */
export interface CallOptions {
  /** Gas limit; undefined = the estimate plus a margin. */
  readonly gas?: number | undefined;
  /** Wei sent with the call, as decimal digits. */
  readonly value: string;
}

/** The largest integer of Solidity. */
const maxWhole = 2n ** 256n - 1n;

/**
 * Reads the options of a call: `gas` and `value`; null is absent. Anything else is refused rather than ignored.
 *
 * @throws ServiceError bad_option
 */
export function readCallOptions(text: JsonText | undefined): CallOptions {
  const options = readOptions(text, ['gas', 'value']);
  const gas = options.get('gas');
  const value = options.get('value');
  return {
    ...(gas !== undefined && { gas: numberOf('gas', gas) }),
    value: value === undefined ? '0' : String(wholeOf('value', value, maxWhole)),
  };
}

const latest = textOf('latest');

/** The options of a contract query. */
export interface QueryOptions {
  /** Queries the state after this block. */
  readonly block?: number | undefined;
  /** Gas limit; undefined = the chain's limit for queries. */
  readonly gas?: number | undefined;
}

/**
 * Reads the options of a query: `blockNumber` and `gas`. Null counts as absent, and so does the block `latest`, which
 * FireFly's connectors accept.
 *
 * @throws ServiceError bad_option
 */
export function readQueryOptions(text: JsonText | undefined): QueryOptions {
  const options = readOptions(text, ['blockNumber', 'gas']);
  const [block, gas] = [options.get('blockNumber'), options.get('gas')];
  return {
    ...(block !== undefined && block !== latest && { block: numberOf('blockNumber', block) }),
    ...(gas !== undefined && { gas: numberOf('gas', gas) }),
  };
}

/** The names that an interface gives to unnamed parameters. */
const namePattern = /^input\d*_*$/;

/**
 * Names the nameless argument, `{"": …}`: clients of FireFly write the argument of an unnamed parameter this way. If it
 * is ambiguous which parameter is meant, the text is returned unchanged.
 */
export function nameArgument(method: AbiEntry, text: JsonText): JsonText {
  const unnamed = method.inputs.filter(({ name }) => namePattern.test(name));
  const given = unnamed.length === 0 ? undefined : membersOf(text);
  if (given?.has('') !== true) return text;
  const [missing, another] = unnamed.filter(({ name }) => !given.has(name));
  if (missing === undefined || another !== undefined) return text;
  const members = [...given].map(([name, value]) => `${textOf(name === '' ? missing.name : name)}:${value}`);
  return compact(`{${members.join(',')}}`);
}

/**
 * Checks that the arguments of a method are an object with all of its parameters and no other member. The codec checks
 * the values.
 *
 * @throws ServiceError argument_wrong, argument_missing, argument_unknown
 */
export function checkArguments(method: AbiEntry, text: JsonText): void {
  const given = membersOf(text);
  if (given === undefined) {
    throw new ServiceError('argument_wrong', { field: 'input', expected: 'an object of arguments by name' });
  }
  const missing = method.inputs.find(({ name }) => !given.has(name));
  if (missing !== undefined) {
    throw new ServiceError('argument_missing', { field: `input.${missing.name}`, expected: missing.type });
  }
  const names = method.inputs.map(({ name }) => name);
  const unknown = [...given.keys()].find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const hint = names.length === 0 ? `; ${method.name} takes none.` : nearestHint(unknown, names);
  throw new ServiceError('argument_unknown', { field: `input.${unknown}`, hint });
}

function readOptions(text: JsonText | undefined, known: readonly string[]): ReadonlyMap<string, JsonText> {
  const members = text === undefined ? new Map<string, JsonText>() : membersOf(text);
  if (members === undefined) {
    throw new ServiceError('bad_option', { field: 'options', problem: 'options are an object' });
  }
  const options = new Map([...members].filter(([, member]) => member !== noValue));
  const unknown = [...options.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return options;
  throw new ServiceError('bad_option', { field: unknown, problem: `known: ${known.join(', ')}` });
}

function numberOf(field: string, text: JsonText): number {
  return Number(wholeOf(field, text, BigInt(Number.MAX_SAFE_INTEGER)));
}

/** Reads a whole number ≥ 0, given as JSON digits or as decimal or `0x` text; never through a float. */
function wholeOf(field: string, text: JsonText, max: bigint): bigint {
  const digits = text.startsWith('"') ? String(valueOf(text)) : text;
  const isWhole = text.startsWith('"') ? /^(?:\d{1,78}|0x[0-9a-f]{1,64})$/i.test(digits) : /^\d{1,78}$/.test(digits);
  const value = isWhole ? BigInt(digits) : undefined;
  if (value !== undefined && value <= max) return value;
  throw new ServiceError('bad_option', { field, problem: `it must be a whole number from 0 to ${max}` });
}
