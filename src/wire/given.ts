import type { TSchema } from '@sinclair/typebox';
import { check } from './check.js';

/**
 * What a request gives: a value that was read along its schema, without the optional members that are null or an empty
 * text. Clients of FireFly write those for what they do not give. A null that the schema names stays, so does an empty
 * text whose schema has a `minLength`, and what is required; the text of values is not looked into.
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
    const isGiven = needed.has(name) || !isBlank(member, its);
    return isGiven ? [[name, given(member, its)] as const] : [];
  });
  return Object.fromEntries(members);
}

function isBlank(member: unknown, schema: TSchema): boolean {
  if (member === null) return !check(schema, null);
  return member === '' && schema.type === 'string' && schema.minLength === undefined;
}

/** Of a value that may have several forms, the form that it has. */
function shapeOf(schema: TSchema, type: 'array' | 'object'): TSchema {
  const forms = schema.anyOf as TSchema[] | undefined;
  return forms?.find((form) => form.type === type) ?? schema;
}
