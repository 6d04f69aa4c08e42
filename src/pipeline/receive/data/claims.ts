import type { Unit } from '../../../ports/database.js';
import type { Blob } from '../../../wire/data/data.js';
import { systemNamespace } from '../../../domain/network/identity.js';
import { missingBlobs } from '../../blobs/downloads.js';

/** The blobs that an envelope of a peer announces. */
export interface Announcement {
  readonly peer: string;
  /** Hash of the batch or unpinned message that needs the blobs. */
  readonly source: string;
  readonly blobs: readonly Pick<Blob, 'hash' | 'size'>[];
}

/**
 * Stores claims for the blobs of a candidate. Its peer may bring them (docs/protocol.md §11.4), and those that are here
 * already are not deleted while the batch may need them.
 */
export async function claimBlobs(unit: Unit, { peer, source, blobs }: Announcement): Promise<void> {
  const sizes = new Map(blobs.map(({ hash, size }) => [hash, size]));
  await unit.put(
    'claims',
    [...sizes].map(([blob, sizeBytes]) => ({ namespace: systemNamespace, blob, sizeBytes, peer, source })),
  );
}

/** Stores claims for the missing blobs of a held batch or message; its data items keep those that are here. */
export async function awaitBlobs(unit: Unit, announcement: Announcement): Promise<void> {
  const { source, blobs } = announcement;
  if (blobs.length === 0) return;
  await dropClaims(unit, source);
  const missing = await missingBlobs(
    unit,
    blobs.map(({ hash }) => hash),
  );
  await claimBlobs(unit, { ...announcement, blobs: blobs.filter(({ hash }) => missing.has(hash)) });
}

export async function dropClaims(unit: Unit, source: string): Promise<void> {
  await unit.remove('claims', { source });
}
