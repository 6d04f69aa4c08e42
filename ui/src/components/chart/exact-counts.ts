import type { Static } from '@sinclair/typebox';
import type { HistogramBucket } from '../../../../src/wire/chain/transaction.js';

type Bucket = Static<typeof HistogramBucket>;

/**
 * Counts a bucket exactly of which the node counted only the first records. Types are counted until nothing is left, so
 * a bucket with one type takes two requests. The rest, which has none of `types`, is counted without a type.
 */
export async function exactBucket(
  bucket: Bucket,
  types: readonly string[],
  count: (type: string | undefined) => Promise<number>,
): Promise<Bucket> {
  const found: Bucket['types'] = [];
  let rest = await count(undefined);
  for (const type of types) {
    if (rest <= 0) break;
    const ofType = await count(type);
    rest -= ofType;
    if (ofType > 0) found.push({ type, count: String(ofType) });
  }
  if (rest > 0) found.push({ type: '', count: String(rest) });
  // The sum, since records that arrive meanwhile are only in the count of their type.
  const sum = found.reduce((total, each) => total + Number(each.count), 0);
  return { ...bucket, count: String(sum), types: found, isCapped: false };
}

/**
 * Whether a bucket need not be counted again. A record may arrive long after it was created, but the longer ago, the
 * less likely: a past bucket is counted again when twice the time has passed since its end.
 */
export function isStillCounted(endMs: number, countedMs: number, nowMs: number): boolean {
  return nowMs - endMs < 2 * (countedMs - endMs);
}
