import { ServiceError } from '../errors/error.js';

/** A condition on a row. Several in a query must all hold. A missing value meets only `null` and `not`. */
export type Condition = FieldCondition | Combination;

/** A condition on one field. */
export type FieldCondition =
  | Comparison
  | { readonly field: string; readonly is: 'in'; readonly values: readonly Scalar[] }
  | { readonly field: string; readonly is: 'null' | 'notNull' }
  | PartialCondition
  /**
   * For texts: the part after the first space, or the whole text if it has none, meets the condition as the field
   * `value`.
   */
  | { readonly field: string; readonly is: 'behindSpace'; readonly of: Condition }
  /** For arrays of texts: an element, as the field `value`, meets the condition. */
  | { readonly field: string; readonly is: 'has'; readonly of: Condition }
  /** For arrays: more than one element. */
  | { readonly field: string; readonly is: 'several' }
  /** For objects: the JSON text, as the field `value`, meets the condition. */
  | { readonly field: string; readonly is: 'written'; readonly of: Condition };

export interface Comparison {
  readonly field: string;
  readonly is: 'equal' | 'above' | 'atLeast' | 'below' | 'atMost';
  readonly value: Scalar;
  /** For texts that are whole numbers, `-` or not and digits without leading zeros: compares them as numbers. */
  readonly asNumber?: boolean;
}

/** A condition on text. Only the case of ASCII letters can be ignored, since databases disagree about others. */
export interface PartialCondition {
  readonly field: string;
  /** `alike`: equal except for case. */
  readonly is: 'contains' | 'startsWith' | 'endsWith' | 'alike';
  readonly value: string;
  readonly ignoresCase?: boolean;
}

export type Combination =
  /** At least one holds; never true for an empty list. */
  | { readonly is: 'any'; readonly of: readonly Condition[] }
  /** All hold; always true for an empty list. */
  | { readonly is: 'all'; readonly of: readonly Condition[] }
  /** Every row that does not meet the condition, including those without a value. */
  | { readonly is: 'not'; readonly of: Condition };

export type Scalar = string | number | boolean;

export interface Sort {
  readonly field: string;
  readonly descending?: boolean;
  /** Rows without a value in this field come first; otherwise last. */
  readonly nullsFirst?: boolean;
  /** For texts that are whole numbers, `-` or not and digits without leading zeros: sorts them as numbers. */
  readonly asNumber?: boolean;
}

/** A query on a table, shared by the API and the database. */
export interface Query {
  readonly where: readonly Condition[];
  /** Must end with a field that is unique, or pages overlap. */
  readonly sort: readonly Sort[];
  readonly skip?: number;
  readonly limit: number;
}

/** The condition that `field` has exactly this value. */
export function equal(field: string, value: Scalar): Condition {
  return { field, is: 'equal', value };
}

/** The condition that `field` has one of these values. */
export function among(field: string, values: readonly Scalar[]): Condition {
  return { field, is: 'in', values };
}

/** The beginning of the rank of an undecided message, which is above the time of every decided one. */
export const undecidedRank = '~';

/** Order of insertion. */
export const oldestFirst: readonly Sort[] = [{ field: 'sequence' }];

/** Adds the sequence to a sort that lacks it, so that no two rows are equal and all readers have one order. */
export function totalOrder(sort: readonly Sort[]): readonly Sort[] {
  if (sort.some(({ field }) => field === 'sequence')) return sort;
  return [...sort, { field: 'sequence', descending: sort.at(-1)?.descending ?? false }];
}

/** The controls of a list request (docs/api.md §8.2). */
export interface Page {
  readonly skip: number;
  readonly limit: number;
  readonly isCounted: boolean;
}

export const defaultLimit = 25;
export const maxLimit = 1_000;
export const maxSkip = 100_000;
export const pageParameters = ['limit', 'skip', 'count', 'sort', 'ascending', 'descending'] as const;

/** @throws ServiceError bad_parameter, limit_too_large, skip_too_large */
export function readPage(parameters: ReadonlyMap<string, string>): Page {
  const limit = readCount(parameters, 'limit', defaultLimit);
  const skip = readCount(parameters, 'skip', 0);
  if (limit > maxLimit) throw new ServiceError('limit_too_large', { max: maxLimit, actual: limit });
  if (skip > maxSkip) throw new ServiceError('skip_too_large', { max: maxSkip, actual: skip });
  return { limit, skip, isCounted: readFlag(parameters.get('count')) ?? false };
}

/** Reads a flag: present and not literally `false` = true; absent = undefined (docs/api.md §2). */
export function readFlag(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value !== 'false';
}

/** The parsed query string of a request. */
export interface RepeatedParameters {
  /** Known parameters by name, with all their values in order. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** The names of unknown parameters, as they were sent. */
  readonly ignored: readonly string[];
}

/**
 * Reads query parameters by lower-case name, with a trailing `[]` dropped (docs/api.md §2). Clients of FireFly send
 * parameters without a meaning, an empty `limit` and a `skip` with a stray `$`. These are accepted; a strict caller is
 * refused all of them except an empty one.
 *
 * @throws ServiceError unknown_parameter for a strict caller, naming the nearest known one
 */
export function readRepeated(
  search: URLSearchParams,
  known: readonly string[],
  { isStrict }: { readonly isStrict: boolean },
): RepeatedParameters {
  const parameters = new Map<string, readonly string[]>();
  const ignored: string[] = [];
  for (const [name, value] of search) {
    const plain = name.replace(/\[\]$/, '').toLowerCase();
    const match = known.find((candidate) => candidate.toLowerCase() === plain);
    if (match === undefined) {
      if (isStrict) throw new ServiceError('unknown_parameter', { actual: name, hint: nearestHint(plain, known) });
      ignored.push(name);
    } else if (value !== '' || !blankAsAbsent.has(match)) {
      const read = isStrict || match !== 'skip' ? value : value.replace(/^(\d+)\$$/, '$1');
      parameters.set(match, [...(parameters.get(match) ?? []), read]);
    }
  }
  return { parameters, ignored };
}

/** Parameters that count as absent if empty: every record has a `created`, and a page has a default size. */
const blankAsAbsent: ReadonlySet<string> = new Set(['created', 'limit', 'skip']);

/** The last given value of each parameter. */
export function lastOf(parameters: ReadonlyMap<string, readonly string[]>): Map<string, string> {
  return new Map([...parameters].map(([name, values]) => [name, values.at(-1) ?? '']));
}

/** Longer words are not compared: the time is the product of both lengths. */
const maxHintCharacters = 64;
/** Maximum number of known words that are compared or listed. */
const maxHintWords = 500;

/** Completes a sentence about an unknown word: ` — did you mean "x"?`, or `; known: …` if none is similar. */
export function nearestHint(word: string, known: readonly string[]): string {
  if (known.length === 0) return '.';
  const nearest = nearestWord(word, known);
  if (nearest !== undefined) return ` — did you mean "${nearest}"?`;
  return `; known: ${known.slice(0, maxHintWords).join(', ')}.`;
}

/** Returns the known word that was probably meant, in whatever case it was typed; undefined if none is similar. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > maxHintCharacters) return undefined;
  const possible = known.slice(0, maxHintWords).filter(({ length }) => length <= maxHintCharacters);
  const plain = word.toLowerCase();
  const ranked = possible.map((candidate) => ({ candidate, distance: editDistance(plain, candidate.toLowerCase()) }));
  const nearest = ranked.sort((one, other) => one.distance - other.distance)[0];
  return nearest !== undefined && nearest.distance <= maxHintDistance(word) ? nearest.candidate : undefined;
}

function readCount(parameters: ReadonlyMap<string, string>, field: string, fallback: number): number {
  const text = parameters.get(field);
  if (text === undefined) return fallback;
  if (!/^\d{1,15}$/.test(text)) {
    throw new ServiceError('bad_parameter', { field, expected: 'a whole number from 0', actual: text });
  }
  return Number(text);
}

/** Two errors leave too little of a short word to recognise it. */
function maxHintDistance({ length }: string): number {
  return length < 5 ? 1 : Math.max(2, length / 3);
}

/** Levenshtein distance, where a transposition, the most common typing error, counts one. */
function editDistance(a: string, b: string): number {
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const transposition = isSwapped ? (beforePrevious[j - 2] ?? 0) + 1 : Infinity;
      const insertion = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      current.push(Math.min(insertion, substitution, transposition));
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[b.length] ?? 0;
}
