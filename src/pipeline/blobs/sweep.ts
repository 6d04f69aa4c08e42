import type { Database } from '../../ports/database.js';
import type { Files } from '../../ports/files.js';
import { every } from '../../ports/tables/where.js';
import { blobDirectory, blobFile } from './blobs.js';
import { findDownloads, openDownload } from './downloads.js';
import { incomingDirectory, sourceOf, storeSource } from './incoming.js';

export interface SweepParts {
  readonly database: Database;
  readonly files: Files;
}

/**
 * Deletes unneeded files: files without a row, blobs of dropped candidates (docs/protocol.md §11.4), unfinished
 * uploads, and partial files that will not be resumed. Called at start, before any transfer.
 */
export async function sweepBlobs({ database, files }: SweepParts): Promise<void> {
  for (const hash of await files.list(blobDirectory)) {
    if (!(await isNeeded(database, hash))) await database.transaction((unit) => unit.remove('blobs', { hash }));
    if (!(await database.has('blobs', { hash }))) await files.remove(blobFile(hash));
  }
  for (const name of await files.list(incomingDirectory)) {
    if (!(await isWanted(database, name))) await files.remove(`${incomingDirectory}/${name}`);
  }
}

/** Whether an item has the blob, or a candidate may need it. */
async function isNeeded(database: Database, hash: string): Promise<boolean> {
  return (
    (await database.has('data', { namespace: every, blobHash: hash })) || (await database.has('claims', { blob: hash }))
  );
}

/**
 * Whether a partial file will be resumed. Uploads never are, nor are downloads of earlier versions, in which several
 * references shared a file.
 */
async function isWanted(database: Database, name: string): Promise<boolean> {
  const transfer = sourceOf(name);
  if (transfer === undefined) return false;
  const { hash: blob, source } = transfer;
  if (await database.has('claims', { blob, peer: source })) return true;
  const downloads = await findDownloads(database, [blob], openDownload);
  return downloads.some(({ input }) => storeSource(String(input['payloadRef']), Number(input['size'])) === source);
}
