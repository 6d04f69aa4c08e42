import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { rawMark } from './json/raw-mark.js';

declare const jsonText: unique symbol;

/**
 * One JSON value as text: as the user sent it, without whitespace outside strings (docs/api.md §3.1). Key order, number
 * spelling and escapes are unchanged. Only `wire/json/json.ts` creates one.
 */
export type JsonText = string & { readonly [jsonText]: true };

/** The value of an item without one, in the form in which it is stored and served (docs/api.md §11.1). */
export const noValue = 'null' as JsonText;

/** Any JSON, kept as `JsonText`. In memory it is a string, hence the string schema. */
export const Raw = Type.Unsafe<JsonText>(Type.String({ [rawMark]: true }));
/**
 * A whole JSON text embedded in another, kept unchanged; it contains values but is not one itself (docs/api.md §3.1,
 * docs/protocol.md §11.2).
 */
export const RawText = Type.Unsafe<JsonText>(Type.String({ [rawMark]: 'text' }));

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const Uuid = Type.String({ pattern: uuidPattern.source, description: 'UUID' });
export const hashPattern = /^[0-9a-f]{64}$/;
export const Hash = Type.String({
  pattern: hashPattern.source,
  description: 'SHA-256, 64 lower-case hexadecimal characters',
});
export const Time = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  description: 'ISO 8601 UTC with three fractional digits',
});
export const Address = Type.String({ pattern: '^0x[0-9a-f]{40}$', description: 'Ethereum address in lower case' });

/** A name given by users: topics, tags, names of datatypes, pools, subscriptions (docs/api.md §3.2). */
export const namePattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
/** The rule of `namePattern` in words. */
export const nameRule = '1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first and last';

/** True if present and not literally `false` (docs/api.md §2). */
export const Flag = Type.Boolean({
  description: 'true unless it is literally "false"; a flag without a value is true',
});

/** Requests the outcome as the response, instead of a response as soon as the request is accepted (docs/api.md §6). */
export const Confirm = Type.Boolean({ description: 'wait for the outcome, and answer 200 with the final record' });

/** A text that is one of the given values. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return Type.Unsafe<Values[number]>(Type.String({ enum: [...values], pattern: `^(${values.join('|')})$` }));
}

/** A schema that also allows null. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>(Type.Union([schema, Type.Null()]));
}
