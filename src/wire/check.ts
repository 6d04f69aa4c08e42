import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ServiceError } from './error.js';

/** Whether a value that was read along a schema also conforms to it. */
export function check<T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  return Value.Check(schema, value);
}

/**
 * Narrows a value that was read along a schema to its type.
 *
 * @throws ServiceError field_required, field_type for the first field that does not conform, by its path
 */
export function assertConforms<T extends TSchema>(
  schema: T,
  value: unknown,
  whole: string,
): asserts value is Static<T> {
  // Looking for the error is dear, and most values have none.
  if (Value.Check(schema, value)) return;
  const error = Value.Errors(schema, value).First();
  if (error === undefined) return;
  const field = error.path === '' ? whole : error.path.slice(1).replaceAll('/', '.');
  if (error.value === undefined) throw new ServiceError('field_required', { field, hint: '' });
  throw new ServiceError('field_type', { field, expected: describe(error.schema), actual: kindOf(error.value) });
}

function describe(schema: TSchema): string {
  const type = typeof schema.type === 'string' ? schema.type : 'of another kind';
  return typeof schema.description === 'string' ? `${type} (${schema.description})` : `of type ${type}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `of type ${typeof value}`;
}
