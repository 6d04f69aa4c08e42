import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { makeDirectory, writePrivateFile } from './private-file.js';

/** The content of a file does not match its schema. */
export class InvalidFileError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'InvalidFileError';
  }
}

/**
 * Reads a JSON file; undefined if it does not exist.
 *
 * @throws InvalidFileError if the content does not match `schema`, naming the first member that differs
 */
export async function readJsonFile<Schema extends TSchema>(
  path: string,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  const text = await readIfPresent(path);
  return text === undefined ? undefined : readShape(schema, text, path);
}

/** Replaces a JSON file like `writePrivateFile`, creating missing directories. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await makeDirectory(dirname(path));
  await writePrivateFile(path, jsonText(value));
}

/** Calls `writeJsonFile` unless the file already has this value. */
export async function updateJsonFile(path: string, value: unknown): Promise<void> {
  if ((await readIfPresent(path)) !== jsonText(value)) await writeJsonFile(path, value);
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/**
 * Parses a JSON text by a schema.
 *
 * @throws InvalidFileError that begins with `what` and names the first invalid member
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
  throw new InvalidFileError(`${what} is invalid at ${first?.path || '/'}: ${first?.message ?? 'unknown'}.`);
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    // The system's error about a directory names no path.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

/**
 * Whether this is a system error with one of the codes, such as `ENOENT`. It is recognised by its shape, since Node's
 * own errors are instances of another `Error` class under Jest.
 */
export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && codes.includes(code);
}
