import { defineConfig } from 'vitest/config';
import { EvenLoad } from './test/support/even-load.js';

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
