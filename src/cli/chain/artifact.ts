import { textOf, valueOf } from '../../wire/json.js';
import type { JsonText } from '../../wire/scalar.js';
import { CliError } from '../exit.js';
import { jsonValue } from '../payload.js';

/** A compiled contract. */
export interface Artifact {
  readonly name: string;
  /** The file that it was compiled from, where the compiler says so. */
  readonly source?: string | undefined;
  readonly abi: readonly unknown[];
  /** Creation code, `0x` hex. */
  readonly bytecode: string;
}

/**
 * The contracts in the output of a compiler: a file of Hardhat or Foundry has one, solc's standard and combined JSON
 * and Hardhat's build-info have many. `fallback` names the one that has no name of its own.
 *
 * @throws CliError USAGE when there are none
 */
export function readArtifacts(text: string, path: string, fallback: string): readonly Artifact[] {
  const value = valueOf(jsonValue(text, path));
  const found = artifactsIn(value, textAt(value, 'contractName') ?? fallback).filter(
    ({ bytecode }) => bytecode !== '0x',
  );
  if (found.length > 0) return found;
  throw new CliError('USAGE', `${path} has no compiled contract that could be deployed.`, {
    hint: 'Expected is an object with abi and bytecode, as solc, Hardhat and Foundry write it.',
  });
}

/**
 * The contract that is meant, by its name or as `file:name`.
 *
 * @throws CliError USAGE, which names those that there are
 */
export function chooseArtifact(artifacts: readonly Artifact[], wanted: string | undefined): Artifact {
  const isMeant = (each: Artifact): boolean => wanted === undefined || [each.name, placeOf(each)].includes(wanted);
  const meant = artifacts.filter(isMeant);
  const [first] = meant;
  const known = artifacts.map(placeOf).join(', ');
  if (first === undefined) throw new CliError('USAGE', `There is no contract ${wanted ?? ''}: there are ${known}.`);
  if (meant.length > 1) throw new CliError('USAGE', `--contract is required: ${namesOf(meant).join(', ')}`);
  if (/^0x(?:[0-9a-f]{2})+$/i.test(first.bytecode)) return first;
  throw new CliError('USAGE', `The bytecode of ${first.name} is not complete: link its libraries first.`);
}

function placeOf({ name, source }: Artifact): string {
  return source === undefined ? name : `${source}:${name}`;
}

/** Names, with their files where two are the same. */
function namesOf(artifacts: readonly Artifact[]): readonly string[] {
  const names = artifacts.map(({ name }) => name);
  return new Set(names).size === names.length ? names : artifacts.map(placeOf);
}

/** Members of solc's output that hold contracts: by file, or as `file:name`. */
function artifactsIn(value: unknown, name: string, source?: string): Artifact[] {
  if (!(value instanceof Object)) return [];
  const abi = abiOf(value);
  const bytecode = bytecodeOf(value);
  if (abi !== undefined && bytecode !== undefined) return [{ name, source, abi, bytecode }];
  const contracts: unknown = Reflect.get(value, 'contracts');
  // What Hardhat keeps of a compilation has solc's output within.
  if (!(contracts instanceof Object)) return artifactsIn(Reflect.get(value, 'output'), name);
  return Object.entries(contracts).flatMap(([key, inner]: [string, unknown]) => {
    const colon = key.lastIndexOf(':');
    const direct = artifactsIn(inner, key.slice(colon + 1), colon < 0 ? undefined : key.slice(0, colon));
    if (direct.length > 0 || !(inner instanceof Object)) return direct;
    return Object.entries(inner).flatMap(([own, each]: [string, unknown]) => artifactsIn(each, own, key));
  });
}

/** Before 0.8 solc's combined JSON had each ABI as a text. */
function abiOf(value: object): readonly unknown[] | undefined {
  const given: unknown = Reflect.get(value, 'abi');
  const abi = typeof given === 'string' ? valueOf(jsonValue(given, 'The ABI')) : given;
  return Array.isArray(abi) ? abi : undefined;
}

function bytecodeOf(value: object): string | undefined {
  const evm: unknown = Reflect.get(value, 'evm');
  const places = [
    textAt(value, 'bytecode') ?? textAt(Reflect.get(value, 'bytecode'), 'object'),
    textAt(value, 'bin'),
    evm instanceof Object ? textAt(Reflect.get(evm, 'bytecode'), 'object') : undefined,
  ];
  const found = places.find((place) => place !== undefined);
  return found === undefined || found.startsWith('0x') ? found : `0x${found}`;
}

function textAt(value: unknown, name: string): string | undefined {
  const member: unknown = value instanceof Object ? Reflect.get(value, name) : undefined;
  return typeof member === 'string' ? member : undefined;
}

/**
 * The arguments of the constructor as JSON: numbers as digits, so that none is rounded; addresses may be names, which
 * `addressOf` knows; lists and tuples are JSON.
 *
 * @throws CliError USAGE for too many or too few, and for what is no JSON
 */
export function constructorInput(
  { name, abi }: Artifact,
  words: readonly string[],
  addressOf: (word: string) => string,
): JsonText {
  const constructor = abi.find((entry) => textAt(entry, 'type') === 'constructor');
  const inputs: unknown = constructor instanceof Object ? Reflect.get(constructor, 'inputs') : [];
  const parameters: readonly unknown[] = Array.isArray(inputs) ? inputs : [];
  if (parameters.length !== words.length) {
    const takes = parameters.length === 0 ? 'no arguments' : `(${parameters.map(parameterWords).join(', ')})`;
    throw new CliError('USAGE', `${name} is created with ${takes}; ${words.length} came.`);
  }
  const members = words.map((word, index) => argumentText(typeOf(parameters[index]), word, addressOf));
  return jsonValue(`[${members.join(',')}]`, 'The list of arguments');
}

function typeOf(parameter: unknown): string {
  return textAt(parameter, 'type') ?? '';
}

/** A parameter as Solidity would write it, tuples by what is in them. */
function parameterWords(parameter: unknown): string {
  const components: unknown = parameter instanceof Object ? Reflect.get(parameter, 'components') : undefined;
  const inner = Array.isArray(components) ? `(${components.map(parameterWords).join(', ')})` : 'tuple';
  return `${typeOf(parameter).replace(/^tuple/, inner)} ${textAt(parameter, 'name') ?? ''}`.trimEnd();
}

function argumentText(type: string, word: string, addressOf: (word: string) => string): string {
  if (type.endsWith(']') || type.startsWith('tuple')) return jsonValue(word, `The argument ${word}`);
  if (type === 'address') return textOf(addressOf(word));
  if (type === 'bool' && (word === 'true' || word === 'false')) return word;
  return textOf(word);
}
