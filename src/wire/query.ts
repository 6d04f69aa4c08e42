import { ServiceError } from './error.js';

/** A condition on a row. Several in a query must all hold. What is not there meets none but `null` and `not`. */
export type Condition = FieldCondition | Combination;

/** What one field must be like. */
export type FieldCondition =
  | Comparison
  | { readonly field: string; readonly is: 'in'; readonly values: readonly Scalar[] }
  | { readonly field: string; readonly is: 'null' | 'notNull' }
  | PartialCondition
  /** Of arrays of texts: one of its elements, as the field `value`, meets the condition. */
  | { readonly field: string; readonly is: 'has'; readonly of: Condition }
  /** Of objects: their JSON text, as the field `value`, meets the condition. */
  | { readonly field: string; readonly is: 'written'; readonly of: Condition };

export interface Comparison {
  readonly field: string;
  readonly is: 'equal' | 'above' | 'atLeast' | 'below' | 'atMost';
  readonly value: Scalar;
  /** Of texts that are whole numbers in decimal digits without leading zeros: their order is that of the numbers. */
  readonly asNumber?: boolean;
}

/** Of text. Only the case of ASCII letters can be ignored: no two databases agree about others. */
export interface PartialCondition {
  readonly field: string;
  /** `alike`: equal but for the case. */
  readonly is: 'contains' | 'startsWith' | 'endsWith' | 'alike';
  readonly value: string;
  readonly ignoresCase?: boolean;
}

export type Combination =
  /** At least one of these holds; of none, never. */
  | { readonly is: 'any'; readonly of: readonly Condition[] }
  /** All of these hold; of none, always. */
  | { readonly is: 'all'; readonly of: readonly Condition[] }
  /** Every row that does not meet the condition, those without a value included. */
  | { readonly is: 'not'; readonly of: Condition };

export type Scalar = string | number | boolean;

export interface Sort {
  readonly field: string;
  readonly descending?: boolean;
  /** Rows without a value in this field come first; otherwise last. */
  readonly nullsFirst?: boolean;
  /** Of texts that are whole numbers in decimal digits without leading zeros: in the order of the numbers. */
  readonly asNumber?: boolean;
}

/** What to read of a table: one type for the API and the database. */
export interface Query {
  readonly where: readonly Condition[];
  /** Ends with a field that no two rows share, or pages overlap. */
  readonly sort: readonly Sort[];
  readonly skip?: number;
  readonly limit: number;
}

/** `field` has exactly this value. */
export function equal(field: string, value: Scalar): Condition {
  return { field, is: 'equal', value };
}

/** `field` has one of these values. */
export function among(field: string, values: readonly Scalar[]): Condition {
  return { field, is: 'in', values };
}

/** `field` has no value. */
export function absent(field: string): Condition {
  return { field, is: 'null' };
}

/** In the order of insertion. */
export const oldestFirst: readonly Sort[] = [{ field: 'sequence' }];

/** The controls of a list request (S §2.2). */
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

/** Present and not literally `false` = true; absent = undefined (S §1.2). */
export function readFlag(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value !== 'false';
}

/**
 * Query parameters by lower-case name, a trailing `[]` dropped, with all their values in order (S §1.2).
 *
 * @throws ServiceError unknown_parameter, naming the nearest known one
 */
export function readRepeated(search: URLSearchParams, known: readonly string[]): Map<string, readonly string[]> {
  const parameters = new Map<string, readonly string[]>();
  for (const [name, value] of search) {
    const plain = name.replace(/\[\]$/, '').toLowerCase();
    const match = known.find((candidate) => candidate.toLowerCase() === plain);
    if (match === undefined) {
      throw new ServiceError('unknown_parameter', { actual: name, hint: nearestHint(plain, known) });
    }
    parameters.set(match, [...(parameters.get(match) ?? []), value]);
  }
  return parameters;
}

/** Of each parameter the value that was given last. */
export function lastOf(parameters: ReadonlyMap<string, readonly string[]>): Map<string, string> {
  return new Map([...parameters].map(([name, values]) => [name, values.at(-1) ?? '']));
}

/** A longer word, given or known, is no slip of another: to compare two takes time by the product of their lengths. */
const maxHintCharacters = 64;
/** So many known words are compared or listed. */
const maxHintWords = 500;

/** The end of a sentence about an unknown word: ` — did you mean "x"?`, or `; known are …` when none is near. */
export function nearestHint(word: string, known: readonly string[]): string {
  if (known.length === 0) return '.';
  const possible = known.slice(0, maxHintWords);
  const near = word.length > maxHintCharacters ? [] : possible.filter(({ length }) => length <= maxHintCharacters);
  const ranked = near.map((candidate) => ({ candidate, distance: editDistance(word, candidate.toLowerCase()) }));
  const nearest = ranked.sort((a, b) => a.distance - b.distance)[0];
  if (nearest !== undefined && nearest.distance <= Math.max(2, word.length / 3)) {
    return ` — did you mean "${nearest.candidate}"?`;
  }
  return `; known are ${possible.join(', ')}.`;
}

function readCount(parameters: ReadonlyMap<string, string>, field: string, fallback: number): number {
  const text = parameters.get(field);
  if (text === undefined) return fallback;
  if (!/^\d{1,15}$/.test(text)) {
    throw new ServiceError('bad_parameter', { field, expected: 'a whole number from 0', actual: text });
  }
  return Number(text);
}

/** Levenshtein distance; a swap of neighbours, the commonest slip, counts two. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
