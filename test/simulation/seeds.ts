import { describeFailure, runSeed, type SeedOptions, type SeedResult } from './run-seed.js';
import { type Situation, situations } from './situations.js';

export interface Report {
  readonly seeds: number;
  readonly steps: number;
  /** Descriptions of the failures, with everything needed to examine them. */
  readonly failures: readonly string[];
  readonly failedSeeds: readonly number[];
  readonly situations: Readonly<Record<string, number>>;
}

/** One in this many seeds is run twice, and both runs must be equal. */
const twiceEvery = 100;

/** Runs seeds one after the other. Stops after `maxFailures` failures. */
export async function runSeeds(
  seeds: Iterable<number>,
  { maxFailures = 3, ...options }: SeedOptions & { readonly maxFailures?: number } = {},
): Promise<Report> {
  const failures: string[] = [];
  const failedSeeds: number[] = [];
  const counts = new Map<Situation, number>();
  let count = 0;
  let steps = 0;
  for (const seed of seeds) {
    if (failures.length >= maxFailures) break;
    const result = await runSeed(seed, options);
    count += 1;
    steps += result.steps;
    for (const [situation, times] of result.situations) counts.set(situation, (counts.get(situation) ?? 0) + times);
    const failure = result.failure === undefined ? await differsAgain(result, options) : describeFailure(result);
    if (failure === undefined) continue;
    failures.push(failure);
    failedSeeds.push(seed);
  }
  return { seeds: count, steps, failures, failedSeeds, situations: Object.fromEntries(counts) };
}

/** Merges the reports of several workers. */
export function joinReports(reports: readonly Report[]): Report {
  const sum = (read: (report: Report) => number): number => reports.reduce((total, report) => total + read(report), 0);
  return {
    seeds: sum(({ seeds }) => seeds),
    steps: sum(({ steps }) => steps),
    failures: reports.flatMap(({ failures }) => failures),
    failedSeeds: reports.flatMap(({ failedSeeds }) => failedSeeds),
    situations: Object.fromEntries(
      situations.map((situation) => [situation, sum((report) => report.situations[situation] ?? 0)]),
    ),
  };
}

async function differsAgain(first: SeedResult, options: SeedOptions): Promise<string | undefined> {
  if (first.seed % twiceEvery !== 0) return undefined;
  const second = await runSeed(first.seed, options);
  if (second.traceHash === first.traceHash) return undefined;
  return `seed ${first.seed} does not repeat: its traces are ${first.traceHash} and ${second.traceHash}`;
}
