import { read } from '../wire/json/json-reader.js';
import { replySchemaOf, type Route } from '../wire/route.js';
import { type RouteName, type Routes, routes } from '../wire/routes.js';
import { type Client, refusal } from './client.js';

/** Routes that list a whole collection. */
export type ListName = {
  [Name in RouteName]: Routes[Name] extends { readonly isList: true } ? Name : never;
}[RouteName];
/** The type of a list's records. */
export type RecordOf<Name extends ListName> = Routes[Name]['reply']['static'];

export interface Entry<Value> {
  readonly value: Value;
  /** The record as served, byte for byte. */
  readonly text: string;
}

export interface Page<Value> {
  /** The whole response as served. */
  readonly text: string;
  readonly entries: readonly Entry<Value>[];
}

/** Parameters of a list in the node's query syntax; names may be repeated (docs/api.md §8). */
export type Parameters = readonly (readonly [name: string, value: string])[];

/** Reads one page of a list. @throws ClientError, UnreachableError, the signal's reason */
export async function readPage<Name extends ListName>(
  client: Client,
  name: Name,
  parameters: Parameters,
  signal?: AbortSignal,
): Promise<Page<RecordOf<Name>>> {
  const route: Route = routes[name];
  const query = new URLSearchParams(parameters.map(([key, value]): [string, string] => [key, value]));
  const answer = await client.exchange({ method: 'GET', path: `${route.path}?${query.toString()}`, signal });
  if (answer.status !== 200) throw refusal(answer);
  const values = read(answer.text, replySchemaOf(route)).value as RecordOf<Name>[]; // the node writes by this schema
  const texts = itemTexts(answer.text);
  return { text: answer.text, entries: values.map((value, i) => ({ value, text: texts[i] ?? '' })) };
}

/** The keys that `readAll` pages by. */
export interface Keys<Value> {
  readonly id: (value: Value) => string;
  /** The field to sort by. */
  readonly field: string;
  /** Whether the order is ascending. */
  readonly isAscending?: boolean;
  /** The value of the field; undefined if the record has none. */
  readonly key: (value: Value) => string | undefined;
}

/**
 * Reads all records of a list in order of `keys.field`, a page at a time. It pages by key and not by offset, so there
 * is no limit of depth and new records do not shift pages. A record on two pages is yielded once.
 *
 * @throws ClientError, UnreachableError
 */
export async function* readAll<Name extends ListName>(
  client: Client,
  name: Name,
  parameters: Parameters,
  keys: Keys<RecordOf<Name>>,
): AsyncGenerator<readonly Entry<RecordOf<Name>>[]> {
  const [operator, direction] = keys.isAscending === true ? ['[>=', ''] : ['[<=', '-'];
  let last: string | undefined;
  /** The ids of the records with the last key, which the next page repeats. */
  let same = new Set<string>();
  for (;;) {
    const from = last === undefined ? [] : ([[keys.field, operator + last]] as const);
    const skip = [['skip', String(same.size)]] as const;
    const controls = [['sort', direction + keys.field], ['limit', String(pageSize)], ...skip] as const;
    const { entries } = await readPage(client, name, [...parameters, ...from, ...controls]);
    const fresh = entries.filter(({ value }) => !same.has(keys.id(value)));
    if (fresh.length > 0) yield fresh;
    if (entries.length < pageSize) return;
    const lastEntry = entries.at(-1);
    const key = lastEntry === undefined ? undefined : keys.key(lastEntry.value);
    if (key !== last) same = new Set();
    for (const { value } of entries) if (keys.key(value) === key) same.add(keys.id(value));
    last = key;
  }
}

/** The largest page that a node returns (docs/api.md §8.2). */
const pageSize = 1_000;

/** A string or a punctuation mark; anything between is part of a number or literal. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** Returns the items of an array as texts; `array` must be valid JSON. */
export function itemTexts(array: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: token, index } of array.matchAll(tokens)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    const isStart = depth === 1 && token === '[' && items.length === 0 && from === 0;
    const isEnd = (depth === 1 && token === ',') || depth === 0;
    if (isEnd) items.push(array.slice(from, index).trim());
    if (isStart || isEnd) from = index + 1;
  }
  return items.filter((item) => item !== '');
}
