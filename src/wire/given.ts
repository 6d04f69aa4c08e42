import type { TSchema } from '@sinclair/typebox';
import { check } from './check.js';
import { rawMark } from './raw-mark.js';
import { noValue } from './scalar.js';

/**
 * Removes optional members that are null or an empty text from a value parsed by a schema, since clients of FireFly
 * send those for absent values. A null that the schema allows stays, as do an empty text whose schema has a
 * `minLength`, and required members; values of users are not touched.
 */
export function given(value: unknown, schema: TSchema): unknown {
  if (value === null || typeof value !== 'object') return value;
  const { properties, required, items } = shapeOf(schema, Array.isArray(value) ? 'array' : 'object');
  if (Array.isArray(value)) {
    return items === undefined ? value : value.map((element: unknown) => given(element, items as TSchema));
  }
  if (properties === undefined) return value;
  const needed = new Set(required as string[] | undefined);
  const members = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const its = (properties as Record<string, TSchema>)[name];
    if (its === undefined) return [];
    const isGiven = needed.has(name) || !isBlank(name, member, its);
    return isGiven ? [[name, given(member, its)] as const] : [];
  });
  return Object.fromEntries(members);
}

function isBlank(name: string, member: unknown, schema: TSchema): boolean {
  if (member === null) return !check(schema, null);
  // A null that a user sends as the value of an item is kept.
  if (schema[rawMark] !== undefined) return member === noValue && name !== 'value';
  return member === '' && schema.type === 'string' && schema.minLength === undefined;
}

/** The alternative of a union that a value has. */
function shapeOf(schema: TSchema, type: 'array' | 'object'): TSchema {
  const forms = schema.anyOf as TSchema[] | undefined;
  return forms?.find((form) => form.type === type) ?? schema;
}
