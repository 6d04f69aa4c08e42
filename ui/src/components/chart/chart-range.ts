import { momentOf } from '../../url/place.js';

/** A stretch of time in equal parts. */
export interface ChartRange {
  readonly startMs: number;
  readonly endMs: number;
  readonly bucketMs: number;
}

export const maxBuckets = 60;
const liveMs = 15 * 60_000;

/**
 * The stretch of time that a chart shows; without a range of the URL it is the last minutes. One that ends now moves by
 * whole parts, so that its bars stay where they are while time passes.
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
