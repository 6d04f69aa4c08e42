import type { Static, TSchema } from '@sinclair/typebox';
import { read } from '../../../src/wire/json/json-reader.js';

/** Reads a text that the node wrote along a schema. */
export function readAlong<T extends TSchema>(schema: T, text: string): Static<T> {
  const value: Static<T> = read(text, schema).value;
  return value;
}
