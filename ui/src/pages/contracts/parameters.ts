import type { ArtifactParameter } from '../../../../src/client/artifact.js';
import type { FfiParameter } from '../../../../src/wire/contracts/contract.js';
import { valueOf } from '../../../../src/wire/json/json.js';

/** An argument with a field in a form. */
export interface Parameter {
  readonly name: string;
  /** The Solidity type, such as `uint256` or `tuple[]`. */
  readonly type: string;
  /** The members of a tuple. */
  readonly members: readonly Parameter[];
}

/** The kind of field for a value. */
export type Entry = 'number' | 'boolean' | 'address' | 'bytes' | 'text' | 'members' | 'json';

/** The parameters of a method, event or error of an interface. Unnamed ones get the names that the node uses. */
export function parametersOf(
  params: readonly FfiParameter[],
  word: 'input' | 'output' = 'input',
): readonly Parameter[] {
  const taken = new Set(params.map(({ name }) => name));
  return params.map(({ name, schema }, index) => {
    let shown = name === '' ? (index === 0 ? word : `${word}${index}`) : name;
    while (name === '' && taken.has(shown)) shown = `${shown}_`;
    taken.add(shown);
    return parameterOf(shown, valueOf(schema));
  });
}

/** The parameters of a constructor in the output of a compiler. */
export function parametersOfArtifact(parameters: readonly ArtifactParameter[]): readonly Parameter[] {
  return parameters.map(({ name, type, components }, index) => ({
    name: name === '' ? `argument ${index + 1}` : name,
    type,
    members: membersOfArtifact(components),
  }));
}

/** The members of a tuple. An unnamed one gets its index as name. */
function membersOfArtifact(components: readonly ArtifactParameter[]): readonly Parameter[] {
  return components.map(({ name, type, components: inner }, index) => ({
    name: name === '' ? String(index) : name,
    type,
    members: membersOfArtifact(inner),
  }));
}

const maxDepth = 16;

function parameterOf(name: string, schema: unknown, depth = 0): Parameter {
  const type = member(member(schema, 'details'), 'type');
  const members = depth < maxDepth ? membersOf(withoutArrays(schema, depth), depth + 1) : [];
  return { name, type: typeof type === 'string' ? type : '', members };
}

function withoutArrays(schema: unknown, depth: number): unknown {
  const items = member(schema, 'items');
  return items === undefined || depth > maxDepth ? schema : withoutArrays(items, depth + 1);
}

function membersOf(schema: unknown, depth: number): readonly Parameter[] {
  const properties = member(schema, 'properties');
  if (!(properties instanceof Object)) return [];
  const placed = Object.entries(properties).map(([name, each]: [string, unknown]) => {
    const index = member(member(each, 'details'), 'index');
    return { index: typeof index === 'number' ? index : 0, parameter: parameterOf(name, each, depth) };
  });
  return placed.sort((left, right) => left.index - right.index).map(({ parameter }) => parameter);
}

function member(value: unknown, name: string): unknown {
  return value instanceof Object && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** The kind of field for a parameter: a tuple has a field for each member; a list or an unknown type is JSON. */
export function entryOf({ type, members }: Parameter): Entry {
  if (type === 'tuple' && members.length > 0) return 'members';
  if (type.endsWith(']')) return 'json';
  if (/^u?int\d*$/.test(type)) return 'number';
  if (type === 'bool') return 'boolean';
  if (type === 'address') return 'address';
  if (type === 'string') return 'text';
  return /^bytes\d*$/.test(type) ? 'bytes' : 'json';
}

/** A parameter in the notation of Solidity, such as `(string text, uint8[2] weights)[] terms`. */
export function solidityText({ name, type, members }: Parameter): string {
  const inner = members.length === 0 ? 'tuple' : `(${members.map(solidityText).join(', ')})`;
  return `${type.replace(/^tuple/, inner)} ${name}`.trimEnd();
}

/** A method, event or error with its parameters. */
export function signatureText(name: string, parameters: readonly Parameter[]): string {
  return `${name}(${parameters.map(solidityText).join(', ')})`;
}
