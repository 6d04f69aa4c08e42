import type { Reader, Unit } from '../../ports/database.js';
import { every } from '../../ports/tables/where.js';
import type { Blob } from '../../wire/data/data.js';
import { systemNamespace } from '../../domain/network/identity.js';
import { missingBlobs } from './downloads.js';

/** The blobs that an envelope of a peer announces. */
export interface Announcement {
  readonly peer: string;
  /** Hash of the batch or unpinned message that needs the blobs. */
  readonly source: string;
  readonly blobs: readonly Pick<Blob, 'hash' | 'size'>[];
}

/**
 * Stores claims for the blobs of a candidate. Its peer may send them (docs/protocol.md §11.4), and those already here
 * are not deleted while the batch may need them.
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

/**
 * Whether a blob arrived for the batch or message with which its peer announced it, and was deleted since: that batch
 * or message is here and no longer waits for it (docs/protocol.md §11.4).
 */
export async function hasCome(
  reader: Reader,
  { peer, source, blob }: Pick<Announcement, 'peer' | 'source'> & { readonly blob: string },
): Promise<boolean> {
  const batch = { namespace: every, hash: source, node: peer, state: 'held' } as const;
  const isHere =
    (await reader.has('messages', { namespace: every, hash: source })) || (await reader.has('batches', batch));
  // Claims are stored in the same unit as the batch or message, so the absence of claims must be checked after its
  // presence.
  return isHere && !(await reader.has('claims', { blob, peer }));
}
