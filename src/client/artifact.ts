import { valueOf } from '../wire/json/json.js';
import { compact } from '../wire/json/json-reader.js';

/** A compiled contract. */
export interface Artifact {
  readonly name: string;
  /** The source file, if the compiler names it. */
  readonly source?: string | undefined;
  readonly abi: readonly unknown[];
  /** Creation code, `0x` hex; only `0x` for an interface, an abstract contract, or if the compiler wrote no code. */
  readonly bytecode: string;
}

/** A parameter of the ABI: the fields that are needed to encode a value. */
export interface ArtifactParameter {
  readonly name: string;
  readonly type: string;
  /** The members of a tuple. */
  readonly components: readonly ArtifactParameter[];
}

/**
 * Reads the deployable contracts from the output of a compiler; empty for other files. `fallback` names a contract
 * without a name.
 *
 * @throws ServiceError if the text is not JSON
 */
export function artifactsOf(text: string, fallback: string): readonly Artifact[] {
  return contractsOf(text, fallback).filter(hasCode);
}

/**
 * Reads all contracts from the output of a compiler, also those without code. A file of Hardhat or Foundry has one,
 * solc's standard and combined JSON and Hardhat's build-info have many. `fallback` names a contract without a name.
 *
 * @throws ServiceError if the text is not JSON
 */
export function contractsOf(text: string, fallback: string): readonly Artifact[] {
  const value = valueOf(compact(text));
  return artifactsIn(value, textAt(value, 'contractName') ?? fallback);
}

/** Whether a contract can be deployed. */
export function hasCode({ bytecode }: Artifact): boolean {
  return bytecode !== '0x';
}

/**
 * The contracts whose interface is probably wanted: those with code, without the interfaces that they import; all if
 * none has code.
 */
export function contractsToDescribe(contracts: readonly Artifact[]): readonly Artifact[] {
  const deployable = contracts.filter(hasCode);
  return deployable.length > 0 ? deployable : contracts;
}

/** The place of a contract in the output of its compiler, which tells contracts of one name apart. */
export function placeOf({ name, source }: Artifact): string {
  return source === undefined ? name : `${source}:${name}`;
}

/** Whether all libraries of a contract are linked, so that its code is entirely hexadecimal. */
export function isLinked({ bytecode }: Artifact): boolean {
  return /^0x(?:[0-9a-f]{2})+$/i.test(bytecode);
}

/** The parameters of a contract's constructor. */
export function constructorOf({ abi }: Artifact): readonly ArtifactParameter[] {
  const constructor = abi.find((entry) => textAt(entry, 'type') === 'constructor');
  return parametersAt(constructor, 'inputs');
}

/** Whether the constructor accepts a payment. */
export function isPayable({ abi }: Artifact): boolean {
  const constructor = abi.find((entry) => textAt(entry, 'type') === 'constructor');
  return textAt(constructor, 'stateMutability') === 'payable';
}

/** Describes a parameter in Solidity's syntax, tuples by their members. */
export function parameterText({ name, type, components }: ArtifactParameter): string {
  const inner = components.length === 0 ? 'tuple' : `(${components.map(parameterText).join(', ')})`;
  return `${type.replace(/^tuple/, inner)} ${name}`.trimEnd();
}

function parametersAt(value: unknown, name: string): readonly ArtifactParameter[] {
  const given: unknown = value instanceof Object ? Reflect.get(value, name) : undefined;
  if (!Array.isArray(given)) return [];
  return given.map((each: unknown) => ({
    name: textAt(each, 'name') ?? '',
    type: textAt(each, 'type') ?? '',
    components: parametersAt(each, 'components'),
  }));
}

/** Reads the members of solc's output that hold contracts, keyed by file or as `file:name`. */
function artifactsIn(value: unknown, name: string, source?: string): Artifact[] {
  if (!(value instanceof Object)) return [];
  const abi = abiOf(value);
  if (abi !== undefined) return [{ name, source, abi, bytecode: bytecodeOf(value) }];
  const contracts: unknown = Reflect.get(value, 'contracts');
  // Hardhat's build-info has solc's output as a member.
  if (!(contracts instanceof Object)) return artifactsIn(Reflect.get(value, 'output'), name);
  return Object.entries(contracts).flatMap(([key, inner]: [string, unknown]) => {
    const colon = key.lastIndexOf(':');
    const direct = artifactsIn(inner, key.slice(colon + 1), colon < 0 ? undefined : key.slice(0, colon));
    if (direct.length > 0 || !(inner instanceof Object)) return direct;
    return Object.entries(inner).flatMap(([own, each]: [string, unknown]) => artifactsIn(each, own, key));
  });
}

/** Reads the ABI of a contract. Before 0.8, solc's combined JSON had it as a string. */
function abiOf(value: object): readonly unknown[] | undefined {
  const given: unknown = Reflect.get(value, 'abi');
  const abi = typeof given === 'string' ? valueOf(compact(given)) : given;
  return Array.isArray(abi) ? abi : undefined;
}

function bytecodeOf(value: object): string {
  const evm: unknown = Reflect.get(value, 'evm');
  const places = [
    textAt(value, 'bytecode') ?? textAt(Reflect.get(value, 'bytecode'), 'object'),
    textAt(value, 'bin'),
    evm instanceof Object ? textAt(Reflect.get(evm, 'bytecode'), 'object') : undefined,
  ];
  const found = places.find((place) => place !== undefined) ?? '';
  return found.startsWith('0x') ? found : `0x${found}`;
}

function textAt(value: unknown, name: string): string | undefined {
  const member: unknown = value instanceof Object ? Reflect.get(value, name) : undefined;
  return typeof member === 'string' ? member : undefined;
}
