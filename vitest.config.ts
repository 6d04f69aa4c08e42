import { defineConfig } from 'vitest/config';

/** One kind of test: its folder below `test/`, how long one test may take, and when it runs. */
interface Kind {
  readonly name: string;
  readonly include: string[];
  readonly testTimeout: number;
  /** Kinds that start real processes run last and one file at a time: they need the machine for themselves. */
  readonly isAlone?: true;
}

const minuteMs = 60_000;
const kinds: readonly Kind[] = [
  { name: 'unit', include: ['test/*.test.ts', 'test/unit/**/*.test.ts'], testTimeout: minuteMs / 2 },
  { name: 'compliance', include: ['test/compliance/**/*.test.ts'], testTimeout: minuteMs },
  { name: 'network', include: ['test/network/**/*.test.ts'], testTimeout: minuteMs },
  { name: 'simulation', include: ['test/simulation/**/*.test.ts'], testTimeout: 10 * minuteMs },
  { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 5 * minuteMs, isAlone: true },
];

export default defineConfig({
  test: {
    pool: 'forks',
    // Interception of the console would hide what child processes and our own captures write (cli, 21).
    disableConsoleIntercept: true,
    projects: kinds.map(({ isAlone, testTimeout, ...kind }) => ({
      extends: true as const,
      test: {
        ...kind,
        testTimeout,
        hookTimeout: testTimeout,
        ...(isAlone ? { maxWorkers: 1, sequence: { groupOrder: 1 } } : { maxWorkers: 2, sequence: { groupOrder: 0 } }),
      },
    })),
  },
});
