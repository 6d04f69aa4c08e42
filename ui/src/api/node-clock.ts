/**
 * The least difference that counts. The header `Date` has whole seconds, so a smaller one is no reason to distrust the
 * clock of this machine.
 */
const minDifferenceMs = 2_000;

let aheadMs = 0;

/** The time at the node, in milliseconds. Records have its times, and the clock of this machine may be wrong. */
export function nodeNow(): number {
  return Date.now() + aheadMs;
}

/** Sets the clock by the header `Date` of a response that has just come. */
export function learnNodeTime(date: string | undefined): void {
  // On average, half a second has passed since the second that the header names.
  const differenceMs = Date.parse(date ?? '') + 500 - Date.now();
  if (!Number.isNaN(differenceMs)) aheadMs = Math.abs(differenceMs) < minDifferenceMs ? 0 : differenceMs;
}
