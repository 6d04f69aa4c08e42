import { textOf } from '../../wire/json.js';

/** A JSON object as it was parsed. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is an array. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** A member of an object, never one that it inherits. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The members of an object; none of anything else. */
export function membersOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** Called for each value within a value before it is written: its characters, and what it takes to order its names. */
export type Spend = (characters: number, comparisons: number) => void;

/**
 * A text that is the same for two values exactly if JSON Schema calls them equal: members in order of their names,
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

/** One step of a JSON pointer, escaped. */
export function pointerToken(key: string | number): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}
