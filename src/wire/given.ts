import type { TSchema } from '@sinclair/typebox';
import { check } from './check.js';
import { rawMark } from './json/raw-mark.js';
import { noValue } from './scalar.js';

/**
 * Reads a parsed value according to its schema. Optional members that are null or an empty text are removed, since
 * clients of FireFly send those for absent values. A list that is absent or null is empty if its schema has that as its
 * default, since clients in Go write null for an empty list. A null that the schema allows stays, and so do an empty
 * text whose schema has a `minLength` and required members. Values of users are not changed.
 */
export function given(value: unknown, schema: TSchema): unknown {
  if (value === null || typeof value !== 'object') return value;
  const { properties, required, items } = shapeOf(schema, Array.isArray(value) ? 'array' : 'object');
  if (Array.isArray(value)) {
    return items === undefined ? value : value.map((element: unknown) => given(element, items as TSchema));
  }
  if (properties === undefined) return value;
  const needed = new Set(required as string[] | undefined);
  const known = properties as Record<string, TSchema>;
  const members = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const its = known[name];
    if (its === undefined || (member === null && its.default !== undefined)) return [];
    const isGiven = needed.has(name) || !isBlank(name, member, its);
    return isGiven ? [[name, given(member, its)] as const] : [];
  });
  return { ...defaultsOf(known, needed), ...Object.fromEntries(members) };
}

/** The defaults of required members. */
function defaultsOf(properties: Record<string, TSchema>, needed: ReadonlySet<string>): Record<string, unknown> {
  const names = [...needed].filter((name) => properties[name]?.default !== undefined);
  return Object.fromEntries(names.map((name) => [name, properties[name]?.default]));
}

function isBlank(name: string, member: unknown, schema: TSchema): boolean {
  if (member === null) return !allowsNull(schema);
  // A null that a user sends as the value of an item is kept.
  if (schema[rawMark] !== undefined) return member === noValue && name !== 'value';
  return member === '' && takesText(schema) && schema.minLength === undefined;
}

/** Whether a schema takes texts. One that names null, too, tells that from an empty text. */
function takesText({ type, anyOf }: TSchema): boolean {
  const types = anyOf === undefined ? [type] : (anyOf as TSchema[]).map((form) => form.type);
  return types.includes('string') && !types.includes('null');
}

/**
 * Whether a schema names null. One that accepts anything does not: it marks a member that is refused if it is given.
 */
function allowsNull(schema: TSchema): boolean {
  return (schema.type !== undefined || schema.anyOf !== undefined) && check(schema, null);
}

/** The alternative of a union that matches a value's shape. */
function shapeOf(schema: TSchema, type: 'array' | 'object'): TSchema {
  const forms = schema.anyOf as TSchema[] | undefined;
  return forms?.find((form) => form.type === type) ?? schema;
}
