import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { readKnownSeeds, writeKnownSeeds } from './planted/known-seeds.js';
import { plants } from './planted/plants/all.js';
import { areEnough, scorePlants, tableOf } from './planted/score.js';
import { firstTokenSeed, kinds } from './seed-kinds.js';
import { joinReports, type Report, runSeeds } from './seeds.js';
import { missedSituations } from './situations.js';

/** With fewer seeds a missed situation is not an error. */
const enoughSeeds = 5_000;
/** Seeds that have failed before. This file runs from `build/simulation`. */
const regressionsFile = new URL('../../../../test/simulation/regressions.txt', import.meta.url);
const knownSeedsFile = new URL('../../../../test/simulation/planted/known-seeds.txt', import.meta.url);
const usage = `npm run sim -- [--seed N | --seeds N [--from N] | --regressions] [--workers N]
npm run sim -- --planted [P1 …] [--seeds N] [--record] [--workers N]
npm run sim -- --known [--workers N]

  --seed N       one network again, step by step the same
  --seeds N      so many networks, from --from on (default: 2000 from 1); 5,000 must meet every situation
  --regressions  the seeds that ever failed
  --planted      which planted bugs the first --seeds (default: 20000) notice, of all bugs or of those that are named
  --known        whether each planted bug is noticed by its recorded seed, which a change of the code may make stale
  --record       keeps the seeds that noticed, or that all missed, for the short form that runs with the tests

Seeds from ${firstTokenSeed} on are of other kinds, a million each (test/README.md). The seed decides the faults,
hostile members included.`;

interface Share {
  readonly seeds: readonly number[];
}

async function work(share: Share): Promise<void> {
  parentPort?.postMessage(await runSeeds(share.seeds));
}

async function lead(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      from: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(availableParallelism()) },
      regressions: { type: 'boolean', default: false },
      planted: { type: 'boolean', default: false },
      known: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  if (values.known) {
    await tryKnownSeeds(wholeNumber(values.workers));
    return;
  }
  if (values.planted) {
    await tryPlants(positionals, wholeNumber(values.seeds ?? '20000'), wholeNumber(values.workers), values.record);
    return;
  }
  const seeds = values.regressions
    ? readRegressions()
    : values.seed === undefined
      ? withOtherKinds(rangeOf(wholeNumber(values.from), wholeNumber(values.seeds ?? '2000')))
      : [wholeNumber(values.seed)];
  const startMs = performance.now();
  const report = await runInWorkers(seeds, Math.min(wholeNumber(values.workers), seeds.length));
  print(report, (performance.now() - startMs) / 1_000);
  const isLong = seeds.length >= enoughSeeds;
  const missed = isLong ? missedSituations(report) : [];
  if (missed.length > 0) console.error(`never happened: ${missed.join('; ')}`);
  process.exitCode = report.failures.length > 0 || missed.length > 0 ? 1 : 0;
}

/** Plants each bug, or the named ones, and runs up to `maxSeeds` seeds to find it. */
async function tryPlants(
  ids: readonly string[],
  maxSeeds: number,
  threads: number,
  isRecorded: boolean,
): Promise<void> {
  const named = ids.length === 0 ? plants : plants.filter(({ id }) => ids.includes(id));
  const startMs = performance.now();
  const scores = await scorePlants({
    plants: named,
    seedsOf: ({ from = 1 }) => rangeOf(from, maxSeeds),
    threads,
    built: new URL('planted/', import.meta.url),
    onScore: ({ plant, seed, sentence }) => {
      console.error(`${plant.id}: ${seed === undefined ? 'missed' : `seed ${seed}: ${sentence.slice(0, 160)}`}`);
    },
  });
  console.log(`${tableOf(scores)}, ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
  if (isRecorded) {
    const tried = scores.map(({ plant, seed }) => [plant.id, seed ?? 'missed'] as const);
    writeKnownSeeds(knownSeedsFile, new Map([...readKnownSeeds(knownSeedsFile), ...tried]));
  }
  if (!areEnough(scores)) process.exitCode = 1;
}

/** Plants each bug with a recorded seed, and runs that seed. */
async function tryKnownSeeds(threads: number): Promise<void> {
  const known = readKnownSeeds(knownSeedsFile);
  const seedsOf = ({ id }: { readonly id: string }): readonly number[] => {
    const seed = known.get(id);
    return typeof seed === 'number' ? [seed] : [];
  };
  const recorded = plants.filter((plant) => seedsOf(plant).length > 0);
  const built = new URL('planted/', import.meta.url);
  const scores = await scorePlants({ plants: recorded, seedsOf, threads, built });
  const stale = scores.filter(({ seed }) => seed === undefined).map(({ plant }) => plant.id);
  console.log(`${scores.length - stale.length} of ${scores.length} recorded seeds notice their bugs`);
  if (stale.length === 0) return;
  console.error(`stale, to be tried and recorded again: --planted ${stale.join(' ')} --record`);
  process.exitCode = 1;
}

async function runInWorkers(seeds: readonly number[], workers: number): Promise<Report> {
  const shares = Array.from({ length: workers }, (_, worker) => seeds.filter((_seed, at) => at % workers === worker));
  return joinReports(await Promise.all(shares.map(runShare)));
}

function runShare(seeds: readonly number[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    const share: Share = { seeds };
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.on('exit', (code) => {
      reject(new Error(`a worker ended with ${code}`));
    });
  });
}

function print(report: Report, seconds: number): void {
  for (const failure of report.failures) console.error(`${failure}\n`);
  const rate = Math.round((report.seeds * 60) / seconds);
  console.log(`${report.seeds} seeds, ${report.steps} events, ${seconds.toFixed(1)} s (${rate} seeds/min)`);
  for (const [situation, times] of Object.entries(report.situations)) console.log(`  ${situation}: ${times}`);
  console.log(report.failures.length === 0 ? 'no violation' : `${report.failures.length} failures`);
}

function readRegressions(): number[] {
  const lines = readFileSync(regressionsFile, 'utf8').split('\n');
  return lines.filter((line) => /^\d/.test(line)).map((line) => wholeNumber(line.split(/\s/)[0] ?? ''));
}

function rangeOf(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

/** Adds seeds of the other kinds: one of each for every tenth seed, or for every 200th if its databases are files. */
function withOtherKinds(seeds: readonly number[]): number[] {
  const first = seeds.filter((seed) => seed < firstTokenSeed);
  const others = kinds.flatMap(({ from, isOnDisk }) =>
    first.filter((seed) => seed % (isOnDisk === true ? 200 : 10) === 0).map((seed) => from + seed),
  );
  return [...seeds, ...others];
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`expected a whole number, found "${text}". Usage:\n${usage}`);
  return Number(text);
}

if (isMainThread) await lead();
else await work(workerData as Share);
