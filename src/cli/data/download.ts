import type { downloadFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { createHash } from 'node:crypto';
import { lstat, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Blob as BlobRecord } from '../../wire/data/data.js';
import { textOf } from '../../wire/json/json.js';
import { CliError } from '../errors/exit.js';
import { resolveDataId } from '../requests/ids.js';
import { type Output, result } from '../terminal/output.js';
import { openTarget, type CommandContext } from '../requests/target.js';
import { safe, sizeOf } from '../terminal/text.js';
import { showTransfer } from './transfer.js';
import { maxNameCharacters, writeFile } from './write-file.js';

export type DownloadFlags = FlagsOf<typeof downloadFlags> & {
  readonly id: string;
};

/**
 * `stack data download`: downloads the file of a data item, verifies its SHA-256, and writes it.
 *
 * @throws CliError NOT_FOUND for data without a file, CONFLICT if the name is taken, UNHEALTHY for wrong bytes;
 * ClientError, UnreachableError
 */
export async function downloadOne(flags: DownloadFlags, context: CommandContext): Promise<void> {
  const { output } = context;
  const { party } = await openTarget(flags, context);
  const dataid = await resolveDataId(party.client, flags.id);
  const { blob } = (await party.client.getData({ path: { dataid } })).value;
  if (blob === undefined) {
    throw new CliError('NOT_FOUND', `Data ${dataid} has no file, only a value.`, {
      hint: `See it: ${context.program} data get ${dataid}`,
    });
  }
  const path = flags.output === '-' ? undefined : await targetPath(flags.output, blob, dataid);
  const { body } = await party.client.open({ method: 'GET', path: `data/${dataid}/blob` });
  const name = path === undefined ? dataid : basename(path);
  const transfer = showTransfer({
    output,
    kind: flags.progress,
    verb: 'Downloading',
    name,
    totalBytes: blob.size,
  });
  try {
    const bytes = checked(body, blob.hash, transfer.advance);
    if (path === undefined) await writeOut(bytes, output);
    else await writeFile(bytes, path);
  } finally {
    await transfer.end();
  }
  if (path === undefined) return;
  if (output.isJson) await output.json(textOf(result({ id: dataid, path, hash: blob.hash, sizeBytes: blob.size })));
  else if (output.isQuiet || !output.out.isTerminal) await output.line(safe(path));
  else await output.line(`${output.out.paint('green', '✓')} ${safe(path)} · ${sizeOf(blob.size)} · sha256 verified`);
}

/**
 * The path to download to. The name in the record is untrusted: only its last part is used, and never to replace a file
 * or create a hidden one.
 */
async function targetPath(given: string | undefined, blob: BlobRecord, dataid: string): Promise<string> {
  const isFolder = given === undefined || (await stat(given).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) return given;
  const path = join(given ?? '.', localName(blob.name, dataid));
  // A dangling link counts as existing, because the file would be written to its target.
  if ((await lstat(path).catch(() => undefined)) === undefined) return path;
  throw new CliError('CONFLICT', `${safe(path)} exists.`, { hint: 'Name another file: -o FILE, or -o - for stdout.' });
}

/** A safe file name made from the given one, or the id if that is not possible. */
export function localName(name: string | undefined, dataid: string): string {
  const last = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  const clean = safe(last)
    .replaceAll(/\\u\{[0-9a-f]+\}|[<>:"|?*]/g, '_')
    .replace(/^[.\s-]+/, '')
    .trim();
  return clean === '' || clean.length > maxNameCharacters ? dataid : clean;
}

/** Yields the chunks unchanged. @throws CliError UNHEALTHY after the last one if they do not match the hash */
async function* checked(
  body: AsyncIterable<Uint8Array>,
  wanted: string,
  advance: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of body) {
    hash.update(chunk);
    yield chunk;
    advance(chunk.length);
  }
  const actual = hash.digest('hex');
  if (actual === wanted) return;
  throw new CliError('UNHEALTHY', `The download has the SHA-256 ${actual}, not ${wanted}. It was discarded.`);
}

async function writeOut(bytes: AsyncIterable<Uint8Array>, output: Output): Promise<void> {
  for await (const chunk of bytes) await output.out.write(chunk);
}
