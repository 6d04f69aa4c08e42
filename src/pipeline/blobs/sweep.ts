import { systemNamespace } from '../../domain/network/identity.js';
import { type Database, everyNamespace } from '../../ports/database.js';
import type { Files } from '../../ports/files.js';
import { among, type Condition, equal } from '../../wire/lists/query.js';
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
    const where = [equal('hash', hash)];
    if (!(await isNeeded(database, hash))) await removeRow(database, where);
    if ((await database.count('blobs', { namespace: systemNamespace, where })) === 0)
      await files.remove(blobFile(hash));
  }
  for (const name of await files.list(incomingDirectory)) {
    const [hash = '', source = ''] = name.split('.');
    if (!(await isWanted(database, hash, source))) await files.remove(`${incomingDirectory}/${name}`);
  }
}

async function removeRow(database: Database, where: readonly Condition[]): Promise<void> {
  await database.transaction((unit) => unit.remove('blobs', { namespace: systemNamespace, where }));
}

/** Whether an item has the blob, or a candidate may need it. */
async function isNeeded(database: Database, hash: string): Promise<boolean> {
  if ((await database.count('data', { namespace: everyNamespace, where: [equal('blobHash', hash)] })) > 0) return true;
  return (await database.count('claims', { namespace: everyNamespace, where: [equal('blob', hash)] })) > 0;
}

/** Whether a partial file will be resumed. Uploads have no source and never are. */
async function isWanted(database: Database, blob: string, source: string): Promise<boolean> {
  if (source === '') return false;
  const ofBlob = equal('blob', blob);
  if (source !== storeSource) {
    const where = [ofBlob, equal('peer', source)];
    return (await database.count('claims', { namespace: everyNamespace, where })) > 0;
  }
  const where = [ofBlob, equal('type', 'sharedstorage_download_blob'), among('status', ['Initialized', 'Pending'])];
  return (await database.count('operations', { namespace: everyNamespace, where })) > 0;
}
