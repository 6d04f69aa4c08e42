import type { BenchReport } from './report.js';

const firstRate = 100;
const growth = 1.5;
const refinements = 3;

/**
 * Increases the rate until a run is void, then searches between, and returns the report of the highest sustained rate.
 */
export async function searchRate(runAt: (rate: number) => Promise<BenchReport>): Promise<BenchReport> {
  let best = await runAt(firstRate);
  if (best.voidReasons.length > 0) return best;
  let low = firstRate;
  let high = firstRate;
  for (;;) {
    high = Math.round(low * growth);
    const report = await runAt(high);
    if (report.voidReasons.length > 0) break;
    best = report;
    low = high;
  }
  for (let step = 0; step < refinements; step++) {
    const middle = Math.round((low + high) / 2);
    const report = await runAt(middle);
    if (report.voidReasons.length > 0) high = middle;
    else [best, low] = [report, middle];
  }
  return best;
}
