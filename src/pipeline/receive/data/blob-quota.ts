import type { Reader } from '../../../ports/database.js';
import type { ClaimRow } from '../../../ports/tables/messaging-tables.js';
import { maxCandidates } from '../../../domain/network/limits.js';

/** Default quota: one file of the largest size. */
export const defaultMaxUnpinnedBytes = 64 * 1_073_741_824;

/** A peer with more claims than this for unpinned batches has used up its quota, whatever their sizes. */
const maxClaims = 10_000;

export interface Quota {
  readonly peer: string;
  readonly blob: string;
  readonly maxUnpinnedBytes: number;
}

/**
 * Whether a peer may bring a file. Files that a pinned batch or an unpinned message needs are always accepted. All
 * others count in the order of their announcement until their sizes exceed the quota, so that batches that are never
 * pinned cannot fill the disk. Pins do not wait for files, so a peer that is told "later" proceeds once its batches are
 * pinned.
 */
export async function isWithinQuota(reader: Reader, { peer, blob, maxUnpinnedBytes }: Quota): Promise<boolean> {
  const unpinned = await unpinnedSources(reader, peer);
  const isCounted = ({ source }: ClaimRow): boolean => unpinned.has(source);
  const own = await reader.rows('claims', { peer, blob }, { limit: maxClaims });
  if (!own.every(isCounted)) return true;
  const sizes = new Map<string, number>();
  const all = await reader.rows('claims', { peer }, { limit: maxClaims });
  for (const claim of all.filter(isCounted)) {
    sizes.set(claim.blob, claim.sizeBytes);
    if (claim.blob === blob) return sum(sizes) <= maxUnpinnedBytes;
  }
  return false;
}

async function unpinnedSources(reader: Reader, peer: string): Promise<ReadonlySet<string>> {
  return new Set(await reader.values('candidates', 'hash', { peer }, { limit: maxCandidates }));
}

function sum(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((total, size) => total + size, 0);
}
