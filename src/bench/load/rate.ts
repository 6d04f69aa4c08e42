import type { BenchReport } from '../report.js';

const firstRate = 100;
const growth = 1.5;
const refinements = 3;

/**
 * Increases the rate until a run is void, then bisects, and returns the report of the highest sustained rate. If the
 * first rate is too high, it is halved until one is sustained; if none is, the last report is returned.
 */
export async function searchRate(runAt: (rate: number) => Promise<BenchReport>): Promise<BenchReport> {
  let low = firstRate;
  let best = await runAt(low);
  let high = isSustained(best) ? undefined : low;
  while (!isSustained(best)) {
    if (low === 1) return best;
    high = low;
    low = Math.max(1, Math.floor(low / 2));
    best = await runAt(low);
  }
  while (high === undefined) {
    const next = Math.round(low * growth);
    const report = await runAt(next);
    if (isSustained(report)) [best, low] = [report, next];
    else high = next;
  }
  for (let step = 0; step < refinements && high - low > 1; step++) {
    const middle = Math.round((low + high) / 2);
    const report = await runAt(middle);
    if (isSustained(report)) [best, low] = [report, middle];
    else high = middle;
  }
  return best;
}

function isSustained({ voidReasons }: BenchReport): boolean {
  return voidReasons.length === 0;
}
