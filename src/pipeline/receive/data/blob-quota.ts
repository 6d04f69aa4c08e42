import type { Reader } from '../../../ports/database.js';
import type { ClaimRow } from '../../../ports/tables/messaging-tables.js';
import { systemNamespace } from '../../../domain/network/identity.js';
import { maxCandidates } from '../../../domain/network/limits.js';
import { equal, oldestFirst } from '../../../wire/lists/query.js';

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
