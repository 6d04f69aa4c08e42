import type { ArtifactParameter } from '../../../../src/client/artifact.js';
import type { FfiParameter } from '../../../../src/wire/contract.js';
import { textOf, valueOf } from '../../../../src/wire/json.js';
import { compact } from '../../../../src/wire/json-reader.js';

/** An argument that a form asks for. */
export interface Parameter {
  readonly name: string;
  /** As Solidity has it, such as `uint256` or `tuple[]`. */
  readonly type: string;
  /** The members of a tuple. */
  readonly members: readonly Parameter[];
}

/** How a value is entered. */
export type Entry = 'number' | 'boolean' | 'address' | 'bytes' | 'text' | 'json';

/** The parameters of a method, event or error of an interface. Names are those by which the node knows them. */
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

/** The parameters of a constructor, as a compiler has written them. */
export function parametersOfArtifact(parameters: readonly ArtifactParameter[]): readonly Parameter[] {
  return parameters.map(({ name, type, components }, index) => ({
    ...{ name: name === '' ? `argument ${index + 1}` : name, type },
    members: parametersOfArtifact(components),
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

/** How a value of a type is entered; what is not known is entered as JSON. */
export function entryOf({ type }: Parameter): Entry {
  if (type.endsWith(']') || type.startsWith('tuple')) return 'json';
  if (/^u?int\d*$/.test(type)) return 'number';
  if (type === 'bool') return 'boolean';
  if (type === 'address') return 'address';
  if (type === 'string') return 'text';
  return /^bytes\d*$/.test(type) ? 'bytes' : 'json';
}

/** A parameter as Solidity would write it, such as `(string text, uint8[2] weights)[] terms`. */
export function wordsOf({ name, type, members }: Parameter): string {
  const inner = members.length === 0 ? 'tuple' : `(${members.map(wordsOf).join(', ')})`;
  return `${type.replace(/^tuple/, inner)} ${name}`.trimEnd();
}

/** A method, event or error with its parameters. */
export function signatureWords(name: string, parameters: readonly Parameter[]): string {
  return `${name}(${parameters.map(wordsOf).join(', ')})`;
}

/** A value of a parameter as an example, in JSON. */
export function exampleOf(parameter: Parameter, type = parameter.type): string {
  if (type.endsWith(']')) return `[${exampleOf(parameter, type.slice(0, type.lastIndexOf('[')))}]`;
  if (type === 'tuple')
    return `{${parameter.members.map((each) => `${textOf(each.name)}: ${exampleOf(each)}`).join(', ')}}`;
  const entry = entryOf({ ...parameter, type });
  if (entry === 'number') return '"0"';
  if (entry === 'boolean') return 'true';
  return entry === 'text' ? '"…"' : '"0x…"';
}

export type Read = { readonly json: string } | { readonly problem: string };

const hints: Readonly<Record<Entry, string>> = {
  number: 'Write a whole number in digits, or as 0x hex.',
  boolean: 'Choose true or false.',
  address: 'Write an address: 0x and 40 hex digits.',
  bytes: 'Write bytes as 0x and an even number of hex digits.',
  text: '',
  json: 'Write JSON.',
};

const patterns: Readonly<Partial<Record<Entry, RegExp>>> = {
  number: /^-?(?:\d{1,78}|0x[0-9a-f]{1,64})$/i,
  address: /^0x[0-9a-f]{40}$/i,
  bytes: /^0x(?:[0-9a-f]{2})*$/i,
};

/** The JSON text of what was entered for a parameter: numbers stay digits in a text, so that none is rounded. */
export function readEntry(parameter: Parameter, entered: string): Read {
  const entry = entryOf(parameter);
  if (entry === 'text') return { json: textOf(entered) };
  const word = entered.trim();
  if (entry === 'boolean') return word === 'true' || word === 'false' ? { json: word } : { problem: hints.boolean };
  if (entry === 'json') return readJson(word);
  return patterns[entry]?.test(word) === true ? { json: textOf(word) } : { problem: hints[entry] };
}

function readJson(text: string): Read {
  try {
    return { json: compact(text) };
  } catch (error) {
    return { problem: `${hints.json} ${error instanceof Error ? error.message : ''}`.trim() };
  }
}

/** All arguments as the members of an object; undefined while one of them cannot be read. */
export function readEntries(
  parameters: readonly Parameter[],
  entered: Readonly<Record<string, string>>,
): { readonly object: string; readonly list: string } | undefined {
  const texts = parameters.map((parameter) => readEntry(parameter, entered[parameter.name] ?? ''));
  const read = texts.flatMap((each) => ('json' in each ? [each.json] : []));
  if (read.length < texts.length) return undefined;
  const members = parameters.map(({ name }, index) => `${textOf(name)}:${read[index]}`);
  return { object: `{${members.join(',')}}`, list: `[${read.join(',')}]` };
}
