import type { Static, TSchema } from '@sinclair/typebox';
import { read } from '../../../src/wire/json/json-reader.js';

/** Parses JSON from the node into the type of a schema. */
export function readAs<T extends TSchema>(schema: T, text: string): Static<T> {
  const value: Static<T> = read(text, schema).value;
  return value;
}
