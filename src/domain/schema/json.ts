import { textOf } from '../../wire/json/json.js';

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is an array. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns an own member of an object, never an inherited one. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The members of an object; empty for anything else. */
export function entriesOfObject(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/**
 * Called for each nested value before it is written, with its length in characters and the number of comparisons needed
 * to sort its names.
 */
export type Spend = (characters: number, comparisons: number) => void;

/**
 * Writes a value so that two texts are equal exactly if JSON Schema considers the values equal: members sorted by name,
 * numbers by value.
 */
export function canonicalText(value: unknown, spend: Spend = () => undefined): string {
  if (isArray(value)) {
    spend(value.length + 2, 0);
    return `[${value.map((item) => canonicalText(item, spend)).join(',')}]`;
  }
  if (isObject(value)) {
    const names = Object.keys(value);
    spend(names.length + 2, names.length * bitsOf(names.length));
    names.sort();
    return `{${names.map((name) => `${canonicalText(name, spend)}:${canonicalText(value[name], spend)}`).join(',')}}`;
  }
  if (typeof value !== 'string') {
    spend(0, 0);
    return String(value);
  }
  spend(value.length, 0);
  return textOf(value);
}

function bitsOf(count: number): number {
  return 32 - Math.clz32(count);
}

/** Escapes one step of a JSON pointer. */
export function pointerToken(key: string | number): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}
