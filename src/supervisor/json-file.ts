import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { makeDirectory, writePrivateFile } from './private-file.js';

/** The content of a file differs from its schema. */
export class InvalidFileError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'InvalidFileError';
  }
}

/**
 * The value of a JSON file of ours, or undefined if there is no such file.
 *
 * @throws InvalidFileError when the file holds something else than `schema` says, naming the first member that differs
 */
export async function readJsonFile<Schema extends TSchema>(
  path: string,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  const text = await readIfPresent(path);
  return text === undefined ? undefined : readShape(schema, text, path);
}

/** Replaces a JSON file as `writePrivateFile` does, in a directory that is made where it is missing. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await makeDirectory(dirname(path));
  await writePrivateFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/**
 * A JSON text as a value of this schema.
 *
 * @throws InvalidFileError that begins with `what` and names the first member that is not as it must be
 */
export function readShape<Schema extends TSchema>(schema: Schema, text: string, what: string): Static<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InvalidFileError(`${what} is not JSON.`, cause);
  }
  if (Value.Check(schema, value)) return value;
  const first = Value.Errors(schema, value).First();
  throw new InvalidFileError(`${what} is not as expected at ${first?.path || '/'}: ${first?.message ?? 'unknown'}.`);
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Whether an error is the operating system's of this code, such as `ENOENT`. */
export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
