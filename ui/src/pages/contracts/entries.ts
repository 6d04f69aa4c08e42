import { textOf, valueOf } from '../../../../src/wire/json/json.js';
import { compact, elementsOf, membersOf } from '../../../../src/wire/json/json-reader.js';
import type { JsonText } from '../../../../src/wire/scalar.js';
import { type Entry, entryOf, type Parameter } from './parameters.js';

/** The content of the fields of a form, by path: `amount`, or `terms.text` for a member of a tuple. */
export type Entered = Readonly<Record<string, string>>;

/** The JSON of a value, or the reason why it is invalid. */
export type Read = { readonly json: string } | { readonly problem: string };

const hints: Readonly<Record<Entry, string>> = {
  number: 'Enter a whole number in digits, or as 0x hex.',
  boolean: 'Select true or false.',
  address: 'Enter an address: 0x and 40 hex digits.',
  bytes: 'Enter bytes: 0x and an even number of hex digits.',
  text: '',
  members: 'Some members are empty or invalid.',
  json: 'Enter JSON.',
};

const patterns: Readonly<Partial<Record<Entry, RegExp>>> = {
  number: /^-?(?:\d{1,78}|0x[0-9a-f]{1,64})$/i,
  address: /^0x[0-9a-f]{40}$/i,
  bytes: /^0x(?:[0-9a-f]{2})*$/i,
};

/** Reads the field of a parameter. Numbers become JSON strings of digits, so that none is rounded. */
export function readEntry(parameter: Parameter, entered: string): Read {
  const entry = entryOf(parameter);
  if (entry === 'text') return { json: textOf(entered) };
  const word = entered.trim();
  if (entry === 'boolean') return word === 'true' || word === 'false' ? { json: word } : { problem: hints.boolean };
  if (entry === 'json' || entry === 'members') return readJson(parameter, word);
  return patterns[entry]?.test(word) === true ? { json: textOf(word) } : { problem: hints[entry] };
}

/** Reads a parameter from its field, a tuple from the fields of its members. */
export function readParameter(parameter: Parameter, entered: Entered, path = parameter.name): Read {
  if (entryOf(parameter) !== 'members') return readEntry(parameter, entered[path] ?? '');
  const read = parameter.members.map((member) => readParameter(member, entered, pathOfMember(path, member)));
  const values = read.flatMap((each) => ('json' in each ? [each.json] : []));
  if (values.length < read.length) return { problem: hints.members };
  return { json: `{${parameter.members.map(({ name }, at) => `${textOf(name)}:${values[at]}`).join(',')}}` };
}

export function pathOfMember(path: string, { name }: Parameter): string {
  return `${path}.${name}`;
}

/** All arguments, as an object and as a list; undefined if one of them is invalid. */
export function readEntries(
  parameters: readonly Parameter[],
  entered: Entered,
): { readonly object: string; readonly list: string } | undefined {
  const texts = parameters.map((parameter) => readParameter(parameter, entered));
  const read = texts.flatMap((each) => ('json' in each ? [each.json] : []));
  if (read.length < texts.length) return undefined;
  const members = parameters.map(({ name }, index) => `${textOf(name)}:${read[index]}`);
  return { object: `{${members.join(',')}}`, list: `[${read.join(',')}]` };
}

export function exampleOf(parameter: Parameter, type = parameter.type): string {
  if (type.endsWith(']')) return `[${exampleOf(parameter, elementTypeOf(type))}]`;
  if (type === 'tuple')
    return `{${parameter.members.map((each) => `${textOf(each.name)}: ${exampleOf(each)}`).join(', ')}}`;
  const entry = entryOf({ ...parameter, type });
  if (entry === 'number') return '"0"';
  if (entry === 'boolean') return 'true';
  return entry === 'text' ? '"…"' : '"0x…"';
}

function readJson(parameter: Parameter, text: string): Read {
  try {
    const json = compact(text);
    const problem = problemOf(parameter, parameter.type, json, '');
    return problem === undefined ? { json } : { problem };
  } catch (error) {
    return { problem: `${hints.json} ${error instanceof Error ? error.message : ''}`.trim() };
  }
}

/** The first reason why JSON does not match a type, with its path. The node validates it again. */
function problemOf(parameter: Parameter, type: string, json: JsonText, path: string): string | undefined {
  const at = path === '' ? '' : `At ${path}: `;
  if (type.endsWith(']')) {
    const elements = elementsOf(json);
    if (elements === undefined) return `${at}enter a list, such as ${exampleOf(parameter, type)}.`;
    const length = /\[(\d+)\]$/.exec(type)?.[1];
    if (length !== undefined && elements.length !== Number(length)) return `${at}enter a list of exactly ${length}.`;
    const problems = elements.map((each, index) =>
      problemOf(parameter, elementTypeOf(type), each, `${path}[${index}]`),
    );
    return problems.find((each) => each !== undefined);
  }
  if (type === 'tuple' && parameter.members.length > 0) return problemOfTuple(parameter, json, path);
  return isLeaf({ ...parameter, type }, json) ? undefined : `${at}${hints[entryOf({ ...parameter, type })]}`;
}

function problemOfTuple(parameter: Parameter, json: JsonText, path: string): string | undefined {
  const at = path === '' ? '' : `At ${path}: `;
  const given = membersOf(json);
  if (given === undefined) return `${at}enter an object, such as ${exampleOf(parameter, 'tuple')}.`;
  const names = parameter.members.map(({ name }) => name);
  const unknown = [...given.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) return `${at}no member named "${unknown}"; the members are ${names.join(', ')}.`;
  for (const member of parameter.members) {
    const value = given.get(member.name);
    if (value === undefined) return `${at}the member "${member.name}" is missing.`;
    const problem = problemOf(member, member.type, value, path === '' ? member.name : pathOfMember(path, member));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isLeaf(parameter: Parameter, json: JsonText): boolean {
  const entry = entryOf(parameter);
  if (entry === 'json' || entry === 'members') return true;
  if (entry === 'boolean') return json === 'true' || json === 'false';
  if (entry === 'number' && /^-?\d+$/.test(json)) return true;
  const text: unknown = json.startsWith('"') ? valueOf(json) : undefined;
  return typeof text === 'string' && (patterns[entry]?.test(text) ?? true);
}

function elementTypeOf(type: string): string {
  return type.slice(0, type.lastIndexOf('['));
}
