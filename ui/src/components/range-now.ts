import { chartRange } from './chart/chart-range.js';

const minStepMs = 10_000;

/**
 * The time from which the ends of a time range are computed. With a relative end such as `-1h` it advances in steps, so
 * that the range moves with the time but a list is not read again every second. With fixed ends it is constant.
 */
export function rangeNow(from: string | undefined, to: string | undefined, nowMs: number): number {
  if (!isRelative(from) && !isRelative(to)) return 0;
  const stepMs = Math.max(minStepMs, chartRange(from, to, nowMs).bucketMs);
  return Math.floor(nowMs / stepMs) * stepMs;
}

function isRelative(moment: string | undefined): boolean {
  return moment?.startsWith('-') === true;
}
