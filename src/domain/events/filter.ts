import { RE2JS, RE2JSException } from 're2js';
import { ServiceError } from '../../wire/errors/error.js';
import { nearestHint } from '../../wire/lists/query.js';
import { sizeOfPattern } from '../schema/pattern.js';
import { type Filterable, filterAliases, filterKeyOf, filterReadings } from './filter-fields.js';

/** Decides whether a subscriber wants an event. */
export type Filter = (event: Filterable) => boolean;

/** Expressions by the key of docs/api.md §14.2, in canonical spelling and in the order of the table there. */
export type Expressions = ReadonlyMap<string, string>;

/** Every accepted filter key, in every spelling. */
export const filterNames: readonly string[] = [...filterReadings.keys(), ...Object.keys(filterAliases)];

const maxExpressionBytes = 1_024;
/** Total states of a filter's expressions with repetitions expanded; compiling that many takes some 15 ms. */
const maxStates = 10_000;

/**
 * Compiles unanchored RE2 expressions by key, in any spelling. All must match. It suffices that one topic matches
 * (docs/api.md §14.2), one spelling of the author's DID (docs/api.md §3.2), and one term for the transaction of an
 * unpinned message (docs/api.md §8.1).
 *
 * @throws ServiceError unknown_filter (ignoring a filter would deliver everything), bad_filter, too_long,
 * bad_subscription
 */
export function compileFilter(expressions: ReadonlyMap<string, string>): Filter {
  let states = 0;
  const tests = [...inOneSpelling(expressions)].map(([name, expression]) => {
    checkLength(name, expression);
    states += sizeOfPattern(expression);
    if (states > maxStates) {
      const problem = `with repetitions written out, it and those before have more than ${maxStates} states`;
      throw new ServiceError('bad_filter', { field: name, problem });
    }
    const matches = remembering(compileExpression(name, expression));
    const reading = filterReadings.get(name) ?? (() => []);
    return (event: Filterable) => {
      const texts = reading(event);
      return texts.length === 0 ? matches('') : texts.some(matches);
    };
  });
  return (event) => tests.every((test) => test(event));
}

/**
 * Reads the filter of a request: nested objects and dotted keys, in any spelling. `null` and empty text count as
 * absent.
 *
 * @throws ServiceError unknown_filter, bad_subscription (a key has two expressions), field_type
 */
export function readFilter(value: unknown): Expressions {
  const given = new Map<string, string>();
  for (const [name, expression] of leavesOf(value, undefined)) {
    const earlier = given.get(name);
    if (earlier !== undefined && earlier !== expression) throw givenTwice(name);
    given.set(name, expression);
  }
  return inOneSpelling(given);
}

/** Converts a filter to the nested objects in which it is served (docs/api.md §14.2). */
export function nestedFilter(expressions: Expressions): Readonly<Record<string, unknown>> {
  const nested: Record<string, string | Record<string, string>> = {};
  for (const [name, expression] of expressions) {
    const [outer = name, inner] = name.split('.');
    if (inner === undefined) nested[outer] = expression;
    else {
      const known = nested[outer];
      nested[outer] = { ...(typeof known === 'object' && known), [inner]: expression };
    }
  }
  return nested;
}

/**
 * Converts a filter of a subscription to the form in which it is served: as in FireFly, with an object for each kind of
 * record.
 */
export function servedFilter(expressions: Expressions): Readonly<Record<string, unknown>> {
  const events = expressions.get('events');
  const empty = { message: {}, transaction: {}, blockchainevent: {} };
  return { ...(events !== undefined && { events }), ...empty, ...nestedFilter(expressions) };
}

/** Converts keys to their canonical spelling. @throws ServiceError unknown_filter, bad_subscription */
function inOneSpelling(given: ReadonlyMap<string, string>): Expressions {
  const known = new Map<string, string>();
  for (const [spelling, expression] of given) {
    const name = filterKeyOf(spelling);
    if (!filterReadings.has(name)) throw unknownFilter(spelling);
    if (expression === '') continue;
    if ((known.get(name) ?? expression) !== expression) throw givenTwice(name);
    known.set(name, expression);
  }
  return new Map([...filterReadings.keys()].flatMap((name) => entryOf(known, name)));
}

function entryOf(known: ReadonlyMap<string, string>, name: string): [string, string][] {
  const expression = known.get(name);
  return expression === undefined ? [] : [[name, expression]];
}

/** Yields all leaves below a path; without a path, of the whole filter. */
function* leavesOf(value: unknown, path: string | undefined): Generator<readonly [string, string]> {
  if (value === null || value === undefined) return;
  if (typeof value === 'string' && path !== undefined) yield [path, value];
  else if (typeof value === 'object' && !Array.isArray(value)) {
    const prefix = path === undefined ? '' : `${path}.`;
    if (!filterNames.some((name) => name.startsWith(prefix)))
      throw unknownFilter(prefix + (Object.keys(value)[0] ?? ''));
    for (const [key, member] of Object.entries(value)) yield* leavesOf(member, prefix + key);
  } else {
    const field = path === undefined ? 'filter' : `filter.${path}`;
    const expected = path === undefined ? 'an object' : 'an expression, as text';
    const actual = Array.isArray(value) ? 'an array' : `of type ${typeof value}`;
    throw new ServiceError('field_type', { field, expected, actual });
  }
}

function unknownFilter(name: string): ServiceError {
  const members = filterNames.filter((known) => known.startsWith(`${name}.`));
  const hint = nearestHint(name, members.length > 0 ? members : filterNames);
  return new ServiceError('unknown_filter', { actual: name, hint });
}

function givenTwice(name: string): ServiceError {
  return new ServiceError('bad_subscription', { problem: `it filters by ${name} twice, in two spellings` });
}

function checkLength(name: string, expression: string): void {
  const actual = Buffer.byteLength(expression);
  if (actual <= maxExpressionBytes) return;
  throw new ServiceError('too_long', { field: name, max: maxExpressionBytes, unit: 'bytes', actual });
}

/** Caches the last matching and the last other text, since successive events are similar. */
function remembering(matches: (text: string) => boolean): (text: string) => boolean {
  let matching: string | undefined;
  let other: string | undefined;
  return (text) => {
    if (text === matching) return true;
    if (text === other) return false;
    const isMatch = matches(text);
    if (isMatch) matching = text;
    else other = text;
    return isMatch;
  };
}

function compileExpression(name: string, expression: string): (text: string) => boolean {
  try {
    const compiled = RE2JS.compile(expression);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    if (error instanceof RE2JSException) throw new ServiceError('bad_filter', { field: name, problem: error.message });
    throw error;
  }
}
