import type { Database } from '../../ports/database.js';
import type { Files } from '../../ports/files.js';
import { every } from '../../ports/tables/where.js';
import { blobDirectory, blobFile } from './blobs.js';
import { incomingDirectory, storeSource } from './incoming.js';

export interface SweepParts {
  readonly database: Database;
  readonly files: Files;
}

/**
 * Deletes files that nobody needs any more; called at start, before blobs move: files without a row, blobs of dropped
 * candidates (docs/protocol.md §11.4), unfinished uploads, and partial files that will not be resumed.
 */
export async function sweepBlobs({ database, files }: SweepParts): Promise<void> {
  for (const hash of await files.list(blobDirectory)) {
    if (!(await isNeeded(database, hash))) await database.transaction((unit) => unit.remove('blobs', { hash }));
    if (!(await database.has('blobs', { hash }))) await files.remove(blobFile(hash));
  }
  for (const name of await files.list(incomingDirectory)) {
    const [hash = '', source = ''] = name.split('.');
    if (!(await isWanted(database, hash, source))) await files.remove(`${incomingDirectory}/${name}`);
  }
}

/** Whether an item has the blob, or a candidate may need it. */
async function isNeeded(database: Database, hash: string): Promise<boolean> {
  return (
    (await database.has('data', { namespace: every, blobHash: hash })) || (await database.has('claims', { blob: hash }))
  );
}

/** Whether a partial file will be resumed. Uploads have no source and never are. */
async function isWanted(database: Database, blob: string, source: string): Promise<boolean> {
  if (source === '') return false;
  if (source !== storeSource) return database.has('claims', { blob, peer: source });
  const type = 'sharedstorage_download_blob';
  return database.has('operations', { namespace: every, blob, type, status: ['Initialized', 'Pending'] });
}
