import { read } from '../wire/json-reader.js';
import { replySchemaOf, type Route } from '../wire/route.js';
import { type RouteName, type Routes, routes } from '../wire/routes.js';
import { type Client, refusal } from './client.js';

/** Rows of the route table that answer a list of a whole collection. */
export type ListName = {
  [Name in RouteName]: Routes[Name] extends { readonly isList: true } ? Name : never;
}[RouteName];
/** What a list has one of in each place. */
export type RecordOf<Name extends ListName> = Routes[Name]['reply']['static'];

export interface Entry<Value> {
  readonly value: Value;
  /** As served, byte for byte. */
  readonly text: string;
}

export interface Page<Value> {
  /** The whole answer as served. */
  readonly text: string;
  readonly entries: readonly Entry<Value>[];
}

/** Parameters of a list in the node's query syntax; a name may be repeated (S §2). */
export type Parameters = readonly (readonly [name: string, value: string])[];

/** One page of a list. @throws ClientError, UnreachableError, the signal's reason */
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
  const values = read(answer.text, replySchemaOf(route)).value as RecordOf<Name>[]; // the node writes along this schema
  const texts = itemTexts(answer.text);
  return { text: answer.text, entries: values.map((value, i) => ({ value, text: texts[i] ?? '' })) };
}

/** What `readAll` needs to know of a record. */
export interface Keys<Value> {
  readonly id: (value: Value) => string;
  /** The field that is served and sorted by. */
  readonly field: string;
  /** Whether the lowest key comes first. */
  readonly isAscending?: boolean;
  /** Its value; undefined where the record has none. */
  readonly key: (value: Value) => string | undefined;
}

/**
 * All records of a list in the order of `keys.field`, read page by page from a key on, so that no depth is too deep and
 * what comes meanwhile moves nothing. A record that two pages have is given once.
 *
 * @throws ClientError, UnreachableError
 */
export async function* readAll<Name extends ListName>(
  client: Client,
  name: Name,
  parameters: Parameters,
  keys: Keys<RecordOf<Name>>,
): AsyncGenerator<readonly Entry<RecordOf<Name>>[]> {
  const [behind, direction] = keys.isAscending === true ? ['[>=', ''] : ['[<=', '-'];
  let last: string | undefined;
  /** Records that have the last key: they come again with the next page, and are passed over. */
  let same = new Set<string>();
  for (;;) {
    const from = last === undefined ? [] : ([[keys.field, behind + last]] as const);
    const skip = [['skip', String(same.size)]] as const;
    const controls = [['sort', direction + keys.field], ['limit', String(pageSize)], ...skip] as const;
    const { entries } = await readPage(client, name, [...parameters, ...from, ...controls]);
    const fresh = entries.filter(({ value }) => !same.has(keys.id(value)));
    if (fresh.length > 0) yield fresh;
    if (entries.length < pageSize) return;
    const ends = entries.at(-1);
    const key = ends === undefined ? undefined : keys.key(ends.value);
    if (key !== last) same = new Set();
    for (const { value } of entries) if (keys.key(value) === key) same.add(keys.id(value));
    last = key;
  }
}

/** The largest page that a node gives (S §2.2). */
const pageSize = 1_000;

/** A string, or a mark; what is between them belongs to numbers and words. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** The texts of the items of an array, whose text must be valid JSON. */
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
