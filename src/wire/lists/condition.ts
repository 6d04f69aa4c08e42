import { textOf } from '../json/json.js';
import type { Comparison, Condition, FieldCondition, PartialCondition, Sort } from './query.js';

/** A row as conditions see it: field values by name. */
export type Fields = Readonly<Record<string, unknown>>;

export type Test = (row: Fields) => boolean;

/**
 * Compiles a condition to a predicate on rows, by the rules of every supported database: text compares by code points.
 */
export function testOf(condition: Condition): Test {
  switch (condition.is) {
    case 'any': {
      const tests = condition.of.map(testOf);
      return (row) => tests.some((test) => test(row));
    }
    case 'all':
      return allOf(condition.of.map(testOf));
    case 'not': {
      const test = testOf(condition.of);
      return (row) => !test(row);
    }
    default: {
      const test = testOfField(condition);
      return (row) => test(row[condition.field]);
    }
  }
}

/**
 * Combines tests to one that all must pass. A loop, because thousands of rows are tested, and `every` would create a
 * function for each.
 */
export function allOf(tests: readonly Test[]): Test {
  return (row) => {
    for (const test of tests) if (!test(row)) return false;
    return true;
  };
}

/** Compiles sort fields to a comparison of rows, which returns 0 for rows that they do not distinguish. */
export function comparerOf(sort: readonly Sort[]): (a: Fields, b: Fields) => number {
  return (a, b) => {
    for (const { field, descending = false, nullsFirst = false, asNumber = false } of sort) {
      const [left, right] = [a[field], b[field]];
      if (left === right) continue;
      if (left === null) return nullsFirst ? -1 : 1;
      if (right === null) return nullsFirst ? 1 : -1;
      const order = asNumber ? compareWhole(left, right) : compare(left, right);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

function testOfField(condition: FieldCondition): (value: unknown) => boolean {
  switch (condition.is) {
    case 'in': {
      const values = new Set<unknown>(condition.values);
      return (value) => values.has(value);
    }
    case 'null':
      return (value) => value === null;
    case 'notNull':
      return (value) => value !== null;
    case 'has': {
      const test = testOf(condition.of);
      return (value) => Array.isArray(value) && value.some((element) => test({ value: element }));
    }
    case 'several':
      return (value) => Array.isArray(value) && value.length > 1;
    case 'written': {
      const test = testOf(condition.of);
      return (value) => value !== null && test({ value: textOf(value) });
    }
    case 'behindSpace': {
      const test = testOf(condition.of);
      return (value) => typeof value === 'string' && test({ value: value.slice(value.indexOf(' ') + 1) });
    }
    case 'contains':
    case 'startsWith':
    case 'endsWith':
    case 'alike':
      return testOfPart(condition);
    default:
      return testOfOrder(condition);
  }
}

function testOfPart({ is, value: part, ignoresCase = is === 'alike' }: PartialCondition): (value: unknown) => boolean {
  const fold = ignoresCase ? foldCase : (text: string) => text;
  const wanted = fold(part);
  const holds = {
    contains: (text: string) => text.includes(wanted),
    startsWith: (text: string) => text.startsWith(wanted),
    endsWith: (text: string) => text.endsWith(wanted),
    alike: (text: string) => text === wanted,
  }[is];
  return (value) => typeof value === 'string' && holds(fold(value));
}

/** Converts ASCII letters to lower case. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function testOfOrder({ is, value: bound, asNumber = false }: Comparison): (value: unknown) => boolean {
  if (is === 'equal') return (value) => value === bound;
  const holds = {
    above: (order: number) => order > 0,
    atLeast: (order: number) => order >= 0,
    below: (order: number) => order < 0,
    atMost: (order: number) => order <= 0,
  }[is];
  const order = asNumber ? compareWhole : compare;
  return (value) => value !== null && holds(order(value, bound));
}

/** Compares whole numbers without leading zeros: the longer is the larger, or with a sign the smaller. */
function compareWhole(left: unknown, right: unknown): number {
  const [a, b] = [String(left), String(right)];
  const [isNegative, isOtherNegative] = [isSigned(a), isSigned(b)];
  if (isNegative !== isOtherNegative) return isNegative ? -1 : 1;
  const order = [...a].length - [...b].length || compareText(a, b);
  return isNegative ? -order : order;
}

/** Whether the text of a whole number begins with a sign, which sorts before all digits. */
export function isSigned(text: string): boolean {
  return text < firstDigit;
}

export const firstDigit = '0';

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  return Number(left) - Number(right);
}

/**
 * Compares by code points, as SQLite compares UTF-8; JavaScript's own order differs for surrogates and U+E000 to
 * U+FFFF.
 */
function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i++) {
    const [a, b] = [left.charCodeAt(i), right.charCodeAt(i)];
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
