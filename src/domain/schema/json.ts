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

/**
 * A text that is the same for two values exactly if JSON Schema calls them equal: members in order of their names,
 * numbers by value. `spend` is told the length of each part before it is built.
 */
export function canonicalText(value: unknown, spend: (characters: number) => void = () => undefined): string {
  if (isArray(value)) {
    spend(value.length + 2);
    return `[${value.map((item) => canonicalText(item, spend)).join(',')}]`;
  }
  if (isObject(value)) {
    const names = Object.keys(value).sort();
    spend(names.length + 2);
    return `{${names.map((name) => `${canonicalText(name, spend)}:${canonicalText(value[name], spend)}`).join(',')}}`;
  }
  if (typeof value !== 'string') return String(value);
  spend(value.length);
  return textOf(value);
}

/** One step of a JSON pointer, escaped. */
export function pointerToken(key: string | number): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}
