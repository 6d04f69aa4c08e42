import type { Static, TSchema } from '@sinclair/typebox';
import { Value, type ValueError } from '@sinclair/typebox/value';
import { ServiceError } from './errors/error.js';
import { textOf } from './json/json.js';

/** Whether a value that was parsed by a schema also conforms to it. */
export function check<T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  return Value.Check(schema, value);
}

/**
 * Narrows a value that was parsed by a schema to its type.
 *
 * @throws ServiceError field_required, field_type for the first field that does not conform, by its path
 */
export function assertConforms<T extends TSchema>(
  schema: T,
  value: unknown,
  whole: string,
): asserts value is Static<T> {
  // Finding the error is expensive, and most values have none.
  if (Value.Check(schema, value)) return;
  const error = firstError(schema, value);
  if (error === undefined) return;
  const field = error.path === '' ? whole : error.path.slice(1).replaceAll('/', '.');
  if (error.value === undefined) throw new ServiceError('field_required', { field, hint: '' });
  throw new ServiceError('field_type', {
    field,
    expected: describe(error.schema),
    actual: kindOf(error.value, error.schema),
  });
}

/** The first error of a value; for a union, the error against the alternative whose type it has. */
function firstError(schema: TSchema, value: unknown): ValueError | undefined {
  const error = Value.Errors(schema, value).First();
  if (error === undefined) return undefined;
  const type = Array.isArray(error.value) ? 'array' : typeof error.value;
  const isOfType = (form: TSchema): boolean => form.type === type || (type === 'number' && form.type === 'integer');
  const form = formsOf(error.schema).find((each) => isOfType(each) && each.const === undefined);
  const inner = form === undefined ? undefined : firstError(form, error.value);
  return inner === undefined ? error : { ...inner, path: `${error.path}${inner.path}` };
}

function formsOf({ anyOf }: TSchema): readonly TSchema[] {
  return Array.isArray(anyOf) ? anyOf : [];
}

function describe(schema: TSchema): string {
  const forms = [schema, ...formsOf(schema)];
  // A constant has a type, too, which the value may well have.
  const types = forms.map(({ type, const: fixed }) => (fixed === undefined ? type : textOf(fixed)));
  const type = [...new Set(types.filter((each) => typeof each === 'string'))].join(' or ');
  return (
    (typeof schema.description === 'string' ? `${type} (${schema.description})` : `of type ${type}`) + range(schema)
  );
}

function range({ minimum, maximum }: TSchema): string {
  const from = typeof minimum === 'number' ? ` from ${minimum}` : '';
  return typeof maximum === 'number' ? `${from} to ${maximum}` : from;
}

function kindOf(value: unknown, schema: TSchema): string {
  if (value === null) return 'null';
  // The type is right or nearly right, so the value itself is shown.
  const wantsNumber = [schema, ...formsOf(schema)].some(({ type }) => type === 'integer' || type === 'number');
  if (typeof value === 'number' && wantsNumber) return String(value);
  return Array.isArray(value) ? 'an array' : `of type ${typeof value}`;
}
