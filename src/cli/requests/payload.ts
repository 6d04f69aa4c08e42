import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../wire/errors/error.js';
import { decode, textOf } from '../../wire/json/json.js';
import { compact } from '../../wire/json/json-reader.js';
import type { JsonText } from '../../wire/scalar.js';
import { CliError } from '../errors/exit.js';
import { fileProblem } from '../errors/file-problem.js';

/** The source of a value on the command line. */
export type PayloadSource =
  | { readonly kind: 'inline' | 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stdin' };

/**
 * Interprets `PAYLOAD` and `--data`: `-` is stdin, `@PATH` a file, anything else a literal (docs/operations.md §11.5).
 */
export function payloadSource(argument: string): PayloadSource {
  if (argument === '-') return { kind: 'stdin' };
  if (argument.startsWith('@')) return { kind: 'file', path: argument.slice(1) };
  return { kind: 'inline', text: argument };
}

/**
 * Loads the text of a source.
 *
 * @throws CliError USAGE if a file cannot be read, the text is not UTF-8, or it is empty, which is probably the failure
 * of another program
 */
export async function loadText(source: PayloadSource, readStdin: () => Promise<Buffer>): Promise<string> {
  if (source.kind === 'stdin') return filledText(await readStdin(), 'stdin', 'stdin is empty.');
  if (source.kind !== 'file') return source.text;
  const { path } = source;
  return filledText(await readBytes(path), path, `The file ${path} is empty.`);
}

/** Loads the text of a file, which may be empty. @throws CliError USAGE if it cannot be read or is not UTF-8 */
export async function fileText(path: string): Promise<string> {
  return decodeText(await readBytes(path), path);
}

async function readBytes(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw new CliError('USAGE', `${path} cannot be read: ${fileProblem(cause)}.`, { cause });
  });
}

function filledText(bytes: Buffer, origin: string, emptyText: string): string {
  if (bytes.byteLength > 0) return decodeText(bytes, origin);
  throw new CliError('USAGE', emptyText, { hint: "To send an empty text, write ''." });
}

/** Decodes UTF-8. @throws CliError USAGE for invalid bytes */
export function decodeText(bytes: Buffer, origin: string): string {
  try {
    return decode(bytes);
  } catch (cause) {
    throw new CliError('USAGE', `The input from ${origin} is not UTF-8 text.`, { cause });
  }
}

/**
 * Converts text to the value to send: valid JSON is compacted and never rewritten; text that begins like an object, an
 * array or a string but is not JSON is refused; any other text is a string (docs/operations.md §11.5). `line` is the
 * number of a line of stdin.
 *
 * @throws CliError USAGE with line and column
 */
export function payloadValue(text: string, line?: number): JsonText {
  try {
    return compact(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.reason === 'not_json' && !/^\s*[{["]/.test(text)) return textOf(text);
    if (line !== undefined) throw malformedLine(line, error);
    throw malformed('The payload', text, error, 'Use --text to send it as a string.');
  }
}

/** Compacts a text that must be JSON. @throws CliError USAGE about `subject`, with line and column */
export function jsonValue(text: string, subject: string): JsonText {
  try {
    return compact(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw malformed(subject, text, error, undefined);
  }
}

function malformed(
  subject: string,
  text: string,
  error: Pick<ServiceError, 'text' | 'fields'>,
  hint: string | undefined,
): CliError {
  const { problem, position } = error.fields;
  const place = typeof position === 'number' ? ` at ${placeOf(text, position)}` : '';
  return new CliError('USAGE', `${subject} is not valid JSON: ${problem ?? error.text}${place}. Nothing was sent.`, {
    hint,
  });
}

function malformedLine(line: number, { text, fields }: Pick<ServiceError, 'text' | 'fields'>): CliError {
  const { problem, position } = fields;
  const place = typeof position === 'number' ? ` at column ${position + 1}` : '';
  return new CliError('USAGE', `Line ${line} of stdin is not valid JSON: ${problem ?? text}${place}. It was not sent.`);
}

function placeOf(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}
