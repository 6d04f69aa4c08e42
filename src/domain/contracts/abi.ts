import type { JsonText } from '../../wire/scalar.js';
import { ServiceError } from '../../wire/errors/error.js';
import { valueOf } from '../../wire/json/json.js';
import { isArray, isObject, type JsonObject, memberOf } from '../schema/json.js';

/** A parameter in Solidity's JSON ABI; tuples have `components`. */
export interface AbiParameter {
  readonly name: string;
  readonly type: string;
  readonly internalType?: string | undefined;
  readonly indexed?: boolean | undefined;
  readonly components?: readonly AbiParameter[] | undefined;
}

/** A constructor, function, event or error of a contract's ABI. */
export interface AbiEntry {
  readonly type: 'constructor' | 'function' | 'event' | 'error';
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs?: readonly AbiParameter[] | undefined;
  readonly stateMutability?: string | undefined;
  readonly anonymous?: boolean | undefined;
}

/** A type split into its base and its array suffix: `tuple[2][]` is `tuple` and `[2][]`. */
export interface SplitType {
  readonly base: string;
  readonly suffix: string;
}

/** More entries than any contract that fits on a chain can have. */
const maxEntries = 2_000;
const maxParameters = 256;
const maxComponentDepth = 16;

/**
 * Reads the JSON ABI of a contract. Fallback and receive functions are left out, since they have no name.
 *
 * @throws ServiceError bad_abi
 */
export function readAbi(text: JsonText): readonly AbiEntry[] {
  const value = valueOf(text);
  if (!isArray(value)) throw refusal('it is not an array of functions, events and errors');
  if (value.length > maxEntries) throw refusal(`it has ${value.length} entries, of at most ${maxEntries}`);
  return value.flatMap((entry, index) => readEntry(entry, `[${index}]`) ?? []);
}

/** Whether Solidity has this type; tuples and arrays are recognised by `splitType`. */
export function isBasicType(base: string): boolean {
  const [, kind = '', digits] = /^(u?int|bytes|address|bool|string|function)(\d*)$/.exec(base) ?? [];
  if (kind === '' || digits === undefined) return false;
  if (digits === '') return kind !== 'uint' && kind !== 'int';
  const size = Number(digits);
  if (digits.startsWith('0')) return false;
  if (kind === 'bytes') return size <= 32;
  return (kind === 'uint' || kind === 'int') && size % 8 === 0 && size <= 256;
}

/** Splits off the array suffix of a type and expands `uint` and `int` to their full names. */
export function splitType(type: string): SplitType {
  const start = type.indexOf('[');
  const [base, suffix] = start < 0 ? [type, ''] : [type.slice(0, start), type.slice(start)];
  return { base: base === 'uint' || base === 'int' ? `${base}256` : base, suffix };
}

/**
 * The canonical signature of an entry: `transfer(address,uint256)`; tuples are written as the types of their members.
 */
export function signatureOf({ name, inputs }: Pick<AbiEntry, 'name' | 'inputs'>): string {
  return `${name}(${inputs.map(canonicalType).join(',')})`;
}

function canonicalType({ type, components = [] }: AbiParameter): string {
  const { base, suffix } = splitType(type);
  return `${base === 'tuple' ? `(${components.map(canonicalType).join(',')})` : base}${suffix}`;
}

const entryTypes = ['constructor', 'function', 'event', 'error'] as const;
const nameless = ['fallback', 'receive'];

function readEntry(value: unknown, at: string): AbiEntry | undefined {
  if (!isObject(value)) throw refusal(`${at} is not an object`);
  const given = memberOf(value, 'type') ?? 'function';
  if (typeof given === 'string' && nameless.includes(given)) return undefined;
  const type = entryTypes.find((each) => each === given);
  if (type === undefined) throw refusal(`${at}.type is none of ${entryTypes.join(', ')}`);
  const name = type === 'constructor' ? '' : memberOf(value, 'name');
  if (typeof name !== 'string' || (type !== 'constructor' && !identifierPattern.test(name))) {
    throw refusal(`${at}.name is no name of Solidity`);
  }
  const stateMutability = mutabilityOf(value);
  return {
    type,
    name,
    inputs: readParameters(memberOf(value, 'inputs'), `${at}.inputs`, 0),
    ...(type === 'function' && { outputs: readParameters(memberOf(value, 'outputs'), `${at}.outputs`, 0) }),
    ...(stateMutability !== undefined && { stateMutability }),
    ...(memberOf(value, 'anonymous') === true && { anonymous: true }),
  };
}

/** An identifier that Solidity accepts. */
export const identifierPattern = /^[A-Za-z_$][A-Za-z0-9_$]{0,255}$/;

/** Older compilers write the mutability as two members. */
function mutabilityOf(value: JsonObject): string | undefined {
  const given = memberOf(value, 'stateMutability');
  if (typeof given === 'string') return given;
  if (memberOf(value, 'payable') === true) return 'payable';
  return memberOf(value, 'constant') === true ? 'view' : undefined;
}

function readParameters(value: unknown, at: string, depth: number): readonly AbiParameter[] {
  if (value === undefined) return [];
  if (!isArray(value)) throw refusal(`${at} is not an array`);
  if (value.length > maxParameters) throw refusal(`${at} has ${value.length} entries, of at most ${maxParameters}`);
  if (depth > maxComponentDepth) throw refusal(`${at} is nested deeper than ${maxComponentDepth} tuples`);
  return value.map((each, index) => readParameter(each, `${at}[${index}]`, depth));
}

function readParameter(value: unknown, at: string, depth: number): AbiParameter {
  if (!isObject(value)) throw refusal(`${at} is not an object`);
  const [type, name = '', internalType] = ['type', 'name', 'internalType'].map((each) => memberOf(value, each));
  if (typeof type !== 'string') throw refusal(`${at}.type is not text`);
  if (typeof name !== 'string' || (name !== '' && !identifierPattern.test(name))) {
    throw refusal(`${at}.name is no name of Solidity`);
  }
  const { base, suffix } = splitType(type);
  if (!(base === 'tuple' || isBasicType(base)) || !arrayPattern.test(suffix)) {
    throw refusal(`${at}.type "${type}" is no type of Solidity`);
  }
  return {
    name,
    type: `${base}${suffix}`,
    ...(typeof internalType === 'string' && { internalType }),
    ...(memberOf(value, 'indexed') === true && { indexed: true }),
    ...(base === 'tuple' && {
      components: readParameters(memberOf(value, 'components') ?? [], `${at}.components`, depth + 1),
    }),
  };
}

/** The array suffix of a type: `[]` and `[4]`, repeated. */
export const arrayPattern = /^(?:\[(?:[1-9]\d{0,8})?\]){0,8}$/;

function refusal(problem: string): ServiceError {
  return new ServiceError('bad_abi', { problem });
}
