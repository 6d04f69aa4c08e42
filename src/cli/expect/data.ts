import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonText } from '../../wire/scalar.js';
import { CliError } from '../errors/exit.js';
import { fileProblem } from '../errors/file-problem.js';
import { decodeText, payloadSource, payloadValue } from '../requests/payload.js';
import type { PartyNode } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import { type Check, checkEach, findData, findMessages } from './look-up.js';
import type { Selectors } from './parse.js';

interface ExpectedData {
  /** Undefined for bytes that are no value. */
  readonly value: JsonText | undefined;
  readonly sha256: string;
}

interface Item {
  readonly value?: JsonText | undefined;
  readonly blob?: { readonly hash: string } | undefined;
}

/** Longer values are cut in a failure. */
const maxShownCharacters = 120;

/**
 * Checks that a data item, or one item of every selected message, has this value: for JSON the same text apart from
 * white space, for a file the same bytes.
 *
 * @throws CliError USAGE if the file cannot be read, or the value is not valid JSON
 */
export async function checkData(
  { selectors, value }: { readonly selectors: Selectors; readonly value: string },
  parties: readonly PartyNode[],
  directory: string,
): Promise<Check> {
  const expected = await expectedOf(value, directory);
  return () =>
    checkEach(parties, async (party) => {
      const found = await itemsOf(party, selectors);
      if (found.length === 0) return 'no such data';
      const other = found.find((items) => !items.some((item) => isEqual(item, expected)));
      return other === undefined ? undefined : itemsText(other);
    });
}

async function expectedOf(text: string, directory: string): Promise<ExpectedData> {
  const source = payloadSource(text);
  if (source.kind === 'stdin') throw new CliError('USAGE', 'The expected value cannot be read from stdin; use @FILE.');
  if (source.kind !== 'file') return { value: payloadValue(source.text), sha256: sha256(source.text) };
  const bytes = await readFile(resolve(directory, source.path)).catch((cause: unknown) => {
    throw new CliError('USAGE', `${source.path} cannot be read: ${fileProblem(cause)}.`, { cause });
  });
  return { value: valueOf(bytes, source.path), sha256: sha256(bytes) };
}

/** The value that `broadcast @FILE` sends; undefined for a file that it refuses. */
function valueOf(bytes: Buffer, path: string): JsonText | undefined {
  try {
    return payloadValue(decodeText(bytes, path));
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

/** The selected data item, or the items of each selected message. */
async function itemsOf(party: PartyNode, selectors: Selectors): Promise<readonly (readonly Item[])[]> {
  const { id } = selectors;
  const data = id === undefined ? [] : await findData(party, id);
  if (data.length > 1) throw new CliError('USAGE', `Several data items begin with ${id ?? ''}: ${idsOf(data)}.`);
  if (data.length > 0) return [data];
  const messages = await findMessages(party, selectors, true);
  return messages.map((message) => message.data);
}

function idsOf(data: readonly { readonly id: string }[]): string {
  return data.map(({ id }) => id).join(', ');
}

function isEqual({ value, blob }: Item, expected: ExpectedData): boolean {
  return blob === undefined ? value === expected.value : blob.hash === expected.sha256;
}

function itemsText(items: readonly Item[]): string {
  const texts = items.map(({ value, blob }) =>
    blob === undefined ? cut(value ?? 'no value') : `a file with SHA-256 ${blob.hash}`,
  );
  return texts.length === 0 ? 'no values' : texts.join(', ');
}

function cut(text: string): string {
  return safe(text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text);
}

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
