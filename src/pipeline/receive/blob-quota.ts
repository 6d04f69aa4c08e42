import type { Reader } from '../../ports/database.js';
import type { ClaimRow } from '../../ports/messaging-tables.js';
import { systemNamespace } from '../../domain/identity.js';
import { maxCandidates } from '../../domain/limits.js';
import { equal, oldestFirst } from '../../wire/query.js';

/** Bytes of files that a peer may bring for batches that are not pinned yet: one file of the largest size. */
export const defaultMaxUnpinnedBytes = 64 * 1_073_741_824;

/** A peer that claims more files than this for unpinned batches has used up its quota, whatever their sizes. */
const maxClaims = 10_000;

export interface Quota {
  readonly peer: string;
  readonly blob: string;
  readonly maxUnpinnedBytes: number;
}

/**
 * Whether a peer may bring a file. A file that a pinned batch or a message without a batch needs is part of the
 * history of this node and may always come. The others count, in the order in which they were announced, until their
 * sizes exceed the quota: batches that are never pinned must not fill the disk. A pin does not wait for files, so a
 * peer that is told "later" gets on when its batches are pinned.
 */
export async function isWithinQuota(reader: Reader, { peer, blob, maxUnpinnedBytes }: Quota): Promise<boolean> {
  const unpinned = await unpinnedSources(reader, peer);
  const isCounted = ({ source }: ClaimRow): boolean => unpinned.has(source);
  const own = await findClaims(reader, peer, [equal('blob', blob)]);
  if (!own.every(isCounted)) return true;
  const sizes = new Map<string, number>();
  for (const claim of (await findClaims(reader, peer)).filter(isCounted)) {
    sizes.set(claim.blob, claim.sizeBytes);
    if (claim.blob === blob) return sum(sizes) <= maxUnpinnedBytes;
  }
  return false;
}

async function unpinnedSources(reader: Reader, peer: string): Promise<ReadonlySet<string>> {
  const where = [equal('peer', peer)];
  const query = { namespace: systemNamespace, where, sort: oldestFirst, limit: maxCandidates };
  return new Set((await reader.find('candidates', query)).map(({ hash }) => hash));
}

function findClaims(
  reader: Reader,
  peer: string,
  where: readonly ReturnType<typeof equal>[] = [],
): Promise<readonly ClaimRow[]> {
  const query = { namespace: systemNamespace, where: [equal('peer', peer), ...where], sort: oldestFirst };
  return reader.find('claims', { ...query, limit: maxClaims });
}

function sum(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((total, size) => total + size, 0);
}
