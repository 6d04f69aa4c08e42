import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Answer } from '../../client/client.js';
import { uploadData } from '../../client/upload.js';
import type { Data } from '../../wire/data/data.js';
import type { JsonText } from '../../wire/scalar.js';
import type { DatatypeName } from '../datatypes/name.js';
import { CliError } from '../errors/exit.js';
import { fileProblem } from '../errors/file-problem.js';
import type { Output } from '../terminal/output.js';
import type { ProgressKind } from '../terminal/progress.js';
import type { PartyNode } from '../requests/target.js';
import { showTransfer } from './transfer.js';

export interface FileUpload {
  /** `-` = stdin. */
  readonly path: string;
  /** The name sent to the node; default: the file's own. */
  readonly name?: string | undefined;
  /** Whether the node adds name, media type and size to the value. */
  readonly hasAutometa: boolean;
  /** The value, or members to add to the value. */
  readonly metadata?: JsonText | undefined;
  readonly datatype?: DatatypeName | undefined;
}

/** Media types by file extension; all others are sent as `application/octet-stream`. */
const mediaTypes = new Map([
  ['.txt', 'text/plain'],
  ['.md', 'text/markdown'],
  ['.csv', 'text/csv'],
  ['.html', 'text/html'],
  ['.json', 'application/json'],
  ['.xml', 'application/xml'],
  ['.yaml', 'application/yaml'],
  ['.yml', 'application/yaml'],
  ['.pdf', 'application/pdf'],
  ['.zip', 'application/zip'],
  ['.gz', 'application/gzip'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.svg', 'image/svg+xml'],
]);

/** Small enough to buffer, large enough to be fast. */
const chunkBytes = 256 * 1_024;

export function mediaTypeOf(name: string): string {
  return mediaTypes.get(extname(name).toLowerCase()) ?? 'application/octet-stream';
}

/** The form fields of an upload (docs/api.md §11.2). */
export function uploadFields({ hasAutometa, metadata, datatype }: FileUpload): Record<string, string> {
  return {
    ...(hasAutometa ? { autometa: 'true' } : {}),
    ...(metadata === undefined ? {} : { metadata }),
    ...(datatype === undefined ? {} : { 'datatype.name': datatype.name, 'datatype.version': datatype.version }),
  };
}

export function uploadName({ path, name }: FileUpload): string {
  return name ?? (path === '-' ? 'stdin' : basename(path));
}

/** The size of a file; undefined for stdin. @throws CliError USAGE if the file does not exist */
export async function fileSize(path: string): Promise<number | undefined> {
  if (path === '-') return undefined;
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new CliError('USAGE', `${path} is a directory, not a file.`);
    return found.isFile() ? found.size : undefined;
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError('USAGE', `${path} cannot be read: ${fileProblem(cause)}. Nothing was sent.`, { cause });
  }
}

/**
 * Streams a file to a party's node, which stores it as a data item, and shows progress.
 *
 * @throws CliError USAGE if it cannot be read; ClientError, UnreachableError
 */
export async function uploadFile(
  upload: FileUpload,
  party: PartyNode,
  { output, progress }: { readonly output: Output; readonly progress: ProgressKind },
): Promise<Answer<Data>> {
  const name = uploadName(upload);
  const totalBytes = await fileSize(upload.path);
  const transfer = showTransfer({ output, kind: progress, verb: 'Uploading', name, totalBytes });
  const defects: unknown[] = [];
  try {
    return await uploadData(party.client, {
      fileName: name,
      mediaType: mediaTypeOf(name),
      content: contentOf(upload.path, transfer.advance, defects),
      fields: uploadFields(upload),
    });
  } catch (error) {
    const [cause] = defects;
    if (cause === undefined) throw error;
    if (cause instanceof CliError) throw cause;
    const reason = cause instanceof Error ? cause.message : 'it ended early';
    throw new CliError('USAGE', `${name} could not be read completely: ${reason}. Nothing was sent.`, { cause });
  } finally {
    await transfer.end();
  }
}

async function* contentOf(
  path: string,
  advance: (bytes: number) => void,
  defects: unknown[],
): AsyncGenerator<Uint8Array> {
  const source: AsyncIterable<Uint8Array> =
    path === '-' ? process.stdin : createReadStream(path, { highWaterMark: chunkBytes });
  let isEmpty = true;
  try {
    for await (const chunk of source) {
      yield chunk;
      isEmpty = false;
      advance(chunk.length);
    }
    // The command before the pipe has probably failed. Ending here leaves the form incomplete, so nothing is stored.
    if (isEmpty && path === '-') throw new CliError('USAGE', 'stdin is empty. Nothing was sent.');
  } catch (error) {
    defects.push(error);
    throw error;
  }
}
