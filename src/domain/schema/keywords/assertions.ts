import type { Budget } from '../budget.js';
import { type Check, fail, namesAt, type Place, type PlanContext, type Run } from '../evaluate.js';
import { formats } from '../format.js';
import { canonicalText, isArray, isObject, type JsonObject, memberOf, entriesOfObject, type Spend } from '../json.js';
import { multipleOf } from './number.js';

/** Makes the check of a keyword that looks at a single value; undefined if the schema does not use it. */
export type Assertion = (schema: JsonObject, context: PlanContext) => Check | undefined;

type Test = (value: unknown, run: Run, place: Place) => boolean;

function holds(message: string, test: Test): Check {
  return (place: Place, run: Run) => test(place.value, run, place) || fail(place, run, message);
}

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === 'string',
  array: isArray,
  object: isObject,
};

function type(schema: JsonObject): Check | undefined {
  const given = memberOf(schema, 'type');
  if (given === undefined) return undefined;
  const names = textsOf(isArray(given) ? given : [given]);
  const tests = names.flatMap((name) => kinds[name] ?? []);
  return holds(`must be ${names.join(' or ')}`, (value) => tests.some((test) => test(value)));
}

function oneOfValues(schema: JsonObject): Check | undefined {
  const given = memberOf(schema, 'enum');
  return isArray(given) ? isAmong(given, 'must be one of the values listed') : undefined;
}

function constant(schema: JsonObject): Check | undefined {
  return Object.hasOwn(schema, 'const') ? isAmong([schema['const']], 'must be the value that is fixed') : undefined;
}

function isAmong(values: readonly unknown[], message: string): Check {
  const texts = new Set(values.map((value) => canonicalText(value)));
  const longest = Math.max(0, ...[...texts].map((text) => text.length));
  return holds(message, (value, { budget }) => {
    // A text longer than every allowed value equals none of them.
    if (typeof value === 'string' && value.length > longest) return false;
    return texts.has(canonicalText(value, comparing(budget)));
  });
}

function comparing({ prices, spend }: Budget): Spend {
  const { comparedValue, comparedCharacter, nameOrder } = prices;
  return (characters, comparisons) => spend(comparedValue + comparedCharacter * characters + nameOrder * comparisons);
}

function numbers(name: string, words: string, test: (value: number, bound: number) => boolean): Assertion {
  return (schema) => {
    const bound = memberOf(schema, name);
    if (typeof bound !== 'number') return undefined;
    return holds(`${words} ${bound}`, (value) => typeof value !== 'number' || test(value, bound));
  };
}

function multiples(schema: JsonObject): Check | undefined {
  const divisor = memberOf(schema, 'multipleOf');
  if (typeof divisor !== 'number') return undefined;
  return holds(`must be a multiple of ${divisor}`, (value, { budget }) => {
    if (typeof value !== 'number') return true;
    // Integers are divided; otherwise the decimals are compared.
    if (!Number.isSafeInteger(value) || !Number.isSafeInteger(divisor)) budget.spend(budget.prices.multiple);
    return multipleOf(value, divisor);
  });
}

function sizes(
  name: string,
  words: string,
  size: (value: unknown, run: Run, place: Place) => number | undefined,
): Assertion {
  const isLowest = name.startsWith('min');
  return (schema) => {
    const bound = memberOf(schema, name);
    if (typeof bound !== 'number') return undefined;
    return holds(`must have ${isLowest ? 'at least' : 'at most'} ${bound} ${words}`, (value, run, place) => {
      const actual = size(value, run, place);
      return actual === undefined || (isLowest ? actual >= bound : actual <= bound);
    });
  };
}

function charactersIn(value: unknown, { budget }: Run): number | undefined {
  if (typeof value !== 'string') return undefined;
  budget.spend(budget.prices.character * value.length);
  let pairs = 0;
  for (let i = 1; i < value.length; i++) {
    if (isBetween(value.charCodeAt(i), 0xdc00, 0xdfff) && isBetween(value.charCodeAt(i - 1), 0xd800, 0xdbff)) pairs++;
  }
  return value.length - pairs;
}

function isBetween(code: number, lowest: number, highest: number): boolean {
  return code >= lowest && code <= highest;
}

function itemsIn(value: unknown): number | undefined {
  return isArray(value) ? value.length : undefined;
}

function membersIn(value: unknown, run: Run, place: Place): number | undefined {
  if (!isObject(value)) return undefined;
  const { length } = namesAt(place, value, run);
  run.budget.spend(run.budget.prices.countedMember * length);
  return length;
}

function pattern(schema: JsonObject, { patterns }: PlanContext): Check | undefined {
  const given = memberOf(schema, 'pattern');
  if (typeof given !== 'string') return undefined;
  const { occursIn, states } = patterns.compile(given);
  return holds(`must match the pattern ${given}`, (value, { budget }) => {
    if (typeof value !== 'string') return true;
    const { patternText, patternCharacter } = budget.prices;
    budget.spend(patternText + value.length * patternCharacter(states));
    return occursIn(value);
  });
}

/** An assertion up to draft-07, an annotation afterwards (docs/protocol.md §10.1). */
function format(schema: JsonObject, { draft }: PlanContext): Check | undefined {
  const given = memberOf(schema, 'format');
  if (draft !== 'draft-07' || typeof given !== 'string') return undefined;
  const test = Object.hasOwn(formats, given) ? formats[given] : undefined;
  if (test === undefined) return undefined;
  return holds(`must have the format ${given}`, (value, { budget }) => {
    if (typeof value !== 'string') return true;
    budget.spend(budget.prices.formatCharacter * value.length);
    return test(value);
  });
}

/** Compares each item once, with all items before it. */
function uniqueItems(schema: JsonObject): Check | undefined {
  if (memberOf(schema, 'uniqueItems') !== true) return undefined;
  return holds('must not have two equal items', (value, { budget }) => {
    if (!isArray(value)) return true;
    const texts = new Set<string>();
    const spend = comparing(budget);
    return value.every((item) => {
      budget.spend(budget.prices.uniqueItem);
      const { size } = texts;
      return texts.add(canonicalText(item, spend)).size > size;
    });
  });
}

function required(schema: JsonObject): Check | undefined {
  const given = memberOf(schema, 'required');
  return isArray(given) ? hasAll(textsOf(given)) : undefined;
}

/** Names that are required when another is present: `dependentRequired`, and lists among the older `dependencies`. */
function dependentRequired(schema: JsonObject): Check | undefined {
  const lists = [
    ...entriesOfObject(memberOf(schema, 'dependentRequired')),
    ...entriesOfObject(memberOf(schema, 'dependencies')),
  ].flatMap(([name, names]) => (isArray(names) ? [{ name, check: hasAll(textsOf(names)) }] : []));
  if (lists.length === 0) return undefined;
  return (place, run, seen) => {
    const { value } = place;
    if (!isObject(value)) return true;
    run.budget.spend(run.budget.prices.lookup * lists.length);
    const failed = lists.filter(({ name, check }) => Object.hasOwn(value, name) && !check(place, run, seen));
    return failed.length === 0;
  };
}

function hasAll(names: readonly string[]): Check {
  return (place, run) => {
    const { value } = place;
    if (!isObject(value)) return true;
    run.budget.spend(run.budget.prices.lookup * names.length);
    const missing = names.find((name) => !Object.hasOwn(value, name));
    return missing === undefined || fail(place, run, `must have the member "${missing}"`);
  };
}

function textsOf(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

/** All assertions, in the order in which they are checked. */
export const assertions: readonly Assertion[] = [
  type,
  oneOfValues,
  constant,
  multiples,
  numbers('maximum', 'must be at most', (value, bound) => value <= bound),
  numbers('exclusiveMaximum', 'must be less than', (value, bound) => value < bound),
  numbers('minimum', 'must be at least', (value, bound) => value >= bound),
  numbers('exclusiveMinimum', 'must be more than', (value, bound) => value > bound),
  sizes('maxLength', 'characters', charactersIn),
  sizes('minLength', 'characters', charactersIn),
  pattern,
  format,
  sizes('maxItems', 'items', itemsIn),
  sizes('minItems', 'items', itemsIn),
  uniqueItems,
  sizes('maxProperties', 'members', membersIn),
  sizes('minProperties', 'members', membersIn),
  required,
  dependentRequired,
];
