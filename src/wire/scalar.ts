import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { rawMark } from './raw-mark.js';

declare const jsonText: unique symbol;

/**
 * One JSON value as text: what the user sent without the whitespace outside strings (S §1.3). Key order, number
 * spelling and escapes are the user's own. Only `wire/json.ts` makes one.
 */
export type JsonText = string & { readonly [jsonText]: true };

/** The value of an item that has none, as it is stored and served (S §4.1). */
export const noValue = 'null' as JsonText;

/** Any JSON, kept as `JsonText`. In memory it is a string, hence the string schema that is checked. */
export const Raw = Type.Unsafe<JsonText>(Type.String({ [rawMark]: true }));
/** A whole JSON text inside another, kept as it is: it has values inside it, and is none itself (S §1.3, §9.2). */
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

/** A name given by users: topics, tags, names of datatypes, pools, subscriptions (S §1.4). */
export const namePattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
/** The rule of `namePattern` in words. */
export const nameRule = '1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first and last';

/** Present and not literally `false` (S §1.2). */
export const Flag = Type.Boolean({
  description: 'true unless it is literally "false"; a flag without a value is true',
});

/** Asks for the outcome, of what is otherwise answered as soon as it is accepted (S §1.7). */
export const Confirm = Type.Boolean({ description: 'wait for the outcome, and answer 200 with the final record' });

/** One of these texts. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return Type.Unsafe<Values[number]>(Type.String({ enum: [...values], pattern: `^(${values.join('|')})$` }));
}

/** A field that may be null. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>(Type.Union([schema, Type.Null()]));
}
