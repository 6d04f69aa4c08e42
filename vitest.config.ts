import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * One kind of test: its folder below `test/`, and how long one test may take, which is far more than it needs: a test
 * that is stuck must end, and one on a machine that is busy must not. Those of simulation compute and wait for nothing.
 */
interface Kind {
  readonly name: string;
  readonly include: string[];
  readonly exclude?: string[];
  readonly testTimeout: number;
  /** Whether each file has a process of its own, and loads all that it needs again. */
  readonly isolate: boolean;
  /** Kinds begin in this order, each when those before it have ended; default: at once. */
  readonly order?: number;
  /** The number of files at a time; default: `usualWorkers`. */
  readonly maxWorkers?: number;
}

const minuteMs = 60_000;
/** One more than a small machine has cores, since these files wait for half of their time. */
const usualWorkers = 3;
const kinds: readonly Kind[] = [
  { name: 'unit', include: ['test/*.test.ts', 'test/unit/**/*.test.ts'], testTimeout: 3 * minuteMs, isolate: false },
  { name: 'compliance', include: ['test/compliance/**/*.test.ts'], testTimeout: 3 * minuteMs, isolate: false },
  { name: 'network', include: ['test/network/**/*.test.ts'], testTimeout: 3 * minuteMs, isolate: false },
  { name: 'simulation', include: ['test/simulation/**/*.test.ts'], testTimeout: 60 * minuteMs, isolate: true },
  { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 5 * minuteMs, isolate: true },
  {
    name: 'long',
    include: ['test/long/**/*.test.ts'],
    exclude: ['test/long/alone/**', 'test/long/browser/**'],
    testTimeout: 5 * minuteMs,
    isolate: true,
    order: 1,
  },
  // A browser drops what is on its way when its machine changes a network, as containers and hosts of others do.
  {
    name: 'long-browser',
    include: ['test/long/browser/**/*.test.ts'],
    testTimeout: 3 * minuteMs,
    isolate: true,
    // As many as a small machine has cores: browsers of a third file made pages wait for longer than a test can.
    maxWorkers: 2,
    order: 2,
  },
  // Ten stacks take the machine, and the ports that they choose are free for others until somebody listens on them.
  {
    name: 'long-alone',
    include: ['test/long/alone/**/*.test.ts'],
    testTimeout: 5 * minuteMs,
    isolate: true,
    maxWorkers: 1,
    order: 3,
  },
];

/** The files that have one core or one network for minutes. The last file to end should not be one of them. */
const slowest = ['/long/seeds/', '/long/engines/scenario/', '/long/load/'];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slowest.some((folder) => moduleId.includes(folder));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    globalSetup: ['test/support/test-run.ts'],
    sequence: { sequencer: SlowestFirst },
    // Modules are compiled for one project and run, and kept for all.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'build/modules' },
    // Interception of the console would hide what child processes and our own captures write.
    disableConsoleIntercept: true,
    projects: kinds.map(({ testTimeout, order = 0, maxWorkers = usualWorkers, ...kind }) => ({
      extends: true as const,
      test: {
        ...{ ...kind, maxWorkers, testTimeout, hookTimeout: testTimeout, sequence: { groupOrder: order } },
        // What comes by itself takes as long as the machine needs: a wait ends when the test could not go on anyway.
        expect: { poll: { timeout: testTimeout / 2, interval: 20 } },
      },
    })),
  },
});
