import { statSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A kind of test, which vitest calls a project. */
interface Kind {
  readonly name: string;
  readonly include: string[];
  readonly exclude?: string[];
  /** In milliseconds; far more than a test needs, even on a busy machine, so that only a test that hangs exceeds it. */
  readonly testTimeout: number;
  /** Whether each file has a separate process, which loads all modules again. */
  readonly isolate: boolean;
  /** Kinds start in this order, each when the previous ones have ended; by default at once. */
  readonly order?: number;
  /** How many files run at a time; default: `usualWorkers`. */
  readonly maxWorkers?: number;
  /** Flags of Node for the processes. */
  readonly execArgv?: string[];
}

const minuteMs = 60_000;
/** One more than the cores of a small machine, since these files wait for half of their time. */
const usualWorkers = 3;
/**
 * Makes V8 optimise a function after four times as much work as it does by default. A seed runs many functions a few
 * times each, so the default optimises more than it saves: a tenth of the processor time of 60 seeds.
 */
const optimiseLater = '--interrupt-budget=530000';
const kinds: readonly Kind[] = [
  { name: 'unit', include: ['test/*.test.ts', 'test/unit/**/*.test.ts'], testTimeout: 3 * minuteMs, isolate: false },
  { name: 'compliance', include: ['test/compliance/**/*.test.ts'], testTimeout: 3 * minuteMs, isolate: false },
  { name: 'network', include: ['test/network/**/*.test.ts'], testTimeout: 3 * minuteMs, isolate: false },
  {
    name: 'simulation',
    include: ['test/simulation/**/*.test.ts'],
    testTimeout: 60 * minuteMs,
    isolate: true,
    execArgv: [optimiseLater],
  },
  { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 5 * minuteMs, isolate: true },
  {
    name: 'long',
    include: ['test/long/**/*.test.ts'],
    exclude: ['test/long/alone/**', 'test/long/browser/**', 'test/long/seeds/**'],
    testTimeout: 5 * minuteMs,
    isolate: true,
    order: 1,
  },
  {
    name: 'long-seeds',
    include: ['test/long/seeds/**/*.test.ts'],
    testTimeout: 60 * minuteMs,
    isolate: true,
    order: 1,
    execArgv: [optimiseLater],
  },
  // A browser drops connections when its machine changes a network, as tests with containers and hosts do.
  {
    name: 'long-browser',
    include: ['test/long/browser/**/*.test.ts'],
    testTimeout: 3 * minuteMs,
    isolate: true,
    // The cores of a small machine: with browsers of a third file pages exceeded the time limits of tests.
    maxWorkers: 2,
    order: 2,
  },
  // Ten stacks use the whole machine, and other tests could take the ports that they have chosen but not opened yet.
  {
    name: 'long-alone',
    include: ['test/long/alone/**/*.test.ts'],
    testTimeout: 5 * minuteMs,
    isolate: true,
    maxWorkers: 1,
    order: 3,
  },
];

/** Parts of the paths of the slowest long tests, the slowest first. They start first, so that none ends last. */
const slowest = [
  '/long/engines/export',
  '/long/load/fleet',
  '/long/engines/scenario/all-external',
  '/long/engines/docker.',
  '/long/engines/mixed-versions',
  '/long/engines/external-chain',
  '/long/walks/cli-streams',
  '/long/engines/external-geth',
  '/long/recovery/failures',
  '/long/engines/postgres',
  '/long/walks/cli-stack-flags',
  '/long/engines/',
  '/long/load/',
  '/long/browser/budgets',
  '/long/browser/failing/failing-endpoints',
  '/long/browser/records/every-record',
  '/seeds/reorganisation',
  '/seeds/second',
  '/seeds/first',
  '/seeds/sqlite',
  '/seeds/bites',
  '/seeds/token',
  '/seeds/listener',
];

/** Unit tests that mostly wait: for timers, locks, and processes that start again. */
const waiting = [
  '/adapters/blockchain/submit',
  '/adapters/database/lock-watch',
  '/adapters/database/postgres',
  '/adapters/data-exchange/intruders',
  '/adapters/files/lock',
  '/http/bodies/body-timeouts',
  '/http/program',
  '/sharedstore/main',
  '/stack/places/lock',
];

type File = TestSpecification;

const isOneOf =
  (parts: readonly string[]) =>
  ({ moduleId }: File): boolean =>
    parts.some((part) => moduleId.includes(part));

function rankOf({ moduleId }: File): number {
  const found = slowest.findIndex((part) => moduleId.includes(part));
  return found < 0 ? slowest.length : found;
}

/** Returns each file with the share of the weights of all files before it. */
function placed(files: readonly File[], weightOf: (file: File) => number) {
  const weights = files.map(weightOf);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  return files.map((file, index) => {
    const place = before / total;
    before += weights[index] ?? 0;
    return { file, place };
  });
}

/**
 * Spreads some files evenly among the others, so that files that keep a core busy run next to files that wait.
 *
 * @param weightOf estimates how long one of the others runs
 */
function spread(files: readonly File[], isSome: (file: File) => boolean, weightOf: (file: File) => number): File[] {
  const some = placed(files.filter(isSome), () => 1);
  const others = placed(
    files.filter((file) => !isSome(file)),
    weightOf,
  );
  return [...some, ...others].toSorted((left, right) => left.place - right.place).map(({ file }) => file);
}

/** Keeps all cores busy until the end. Files are otherwise in the order of the base class: larger ones first. */
class EvenLoad extends BaseSequencer {
  override async sort(files: File[]): Promise<File[]> {
    const sorted = (await super.sort(files)).toSorted((left, right) => rankOf(left) - rankOf(right));
    const inProjects = (...names: readonly string[]) => sorted.filter(({ project }) => names.includes(project.name));
    const [unit, long] = [inProjects('unit'), inProjects('long', 'long-seeds')];
    const others = sorted.filter((file) => !unit.includes(file) && !long.includes(file));
    return [
      ...others,
      ...spread(unit, isOneOf(waiting), ({ moduleId }) => statSync(moduleId).size),
      ...spread(long, isOneOf(['/long/seeds/']), () => 1),
    ];
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    globalSetup: ['test/support/test-run.ts'],
    sequence: { sequencer: EvenLoad },
    // Modules are compiled once for all projects and runs.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'build/modules' },
    // Interception of the console would hide the output of child processes and of the tests' own captures.
    disableConsoleIntercept: true,
    // Compiled code is not transformed again (`support/compiled.ts`).
    server: { deps: { external: [/\/module\.mjs$/] } },
    projects: kinds.map(({ testTimeout, order = 0, maxWorkers = usualWorkers, ...kind }) => ({
      extends: true as const,
      test: {
        ...{ ...kind, maxWorkers, testTimeout, hookTimeout: testTimeout, sequence: { groupOrder: order } },
        // A wait may take as long as a slow machine needs: it ends when the test could not continue anyway.
        expect: { poll: { timeout: testTimeout / 2, interval: 20 } },
      },
    })),
  },
});
