import { momentOf } from '../../url/place.js';

/** The time range of a chart, divided into buckets of equal length. */
export interface ChartRange {
  readonly startMs: number;
  readonly endMs: number;
  readonly bucketMs: number;
}

export const maxBuckets = 60;
const liveMs = 15 * 60_000;

/**
 * The time range of a chart; default: the last 15 minutes. A range that ends now advances by whole buckets, so that
 * bars keep their place while time passes.
 */
export function chartRange(from: string | undefined, to: string | undefined, nowMs: number): ChartRange {
  const lastMs = to === undefined ? nowMs : Date.parse(momentOf(to, nowMs));
  const firstMs = from === undefined ? lastMs - liveMs : Date.parse(momentOf(from, nowMs));
  const spanMs = firstMs < lastMs ? lastMs - firstMs : liveMs;
  const bucketMs = Math.max(1, Math.ceil(spanMs / maxBuckets));
  const endMs = isMoving(to) ? Math.ceil(lastMs / bucketMs) * bucketMs : lastMs;
  return { startMs: isMoving(from) || firstMs >= lastMs ? endMs - spanMs : firstMs, endMs, bucketMs };
}

function isMoving(moment: string | undefined): boolean {
  return moment === undefined || moment.startsWith('-');
}
