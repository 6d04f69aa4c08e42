import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFailed } from 'vitest';
import { formatFindings } from '../../../src/bench/check.js';
import { runCrashLoop } from '../../network/crash/crash-loop.js';

const maxMs = 20 * 60_000;

describe('a stack under load', () => {
  it(
    'loses, duplicates and reorders nothing while twenty of its processes are killed, and recovers without help',
    async () => {
      const root = fileURLToPath(new URL('../../..', import.meta.url));
      const seed = Date.now() % 1_000_000;
      onTestFailed(() => console.error(`The same kills again: npm run crash -- --kills 20 --seed ${seed}`));
      const report = await runCrashLoop({ root, kills: 20, ratePerSecond: 100, seed });
      expect(report.exitCode, formatFindings(report.findings)).toBe(0);
      expect(report.kills).toBe(20);
      expect(report.accepted).toBeGreaterThan(0);
      expect(report.unanswered).toBe(0);
    },
    maxMs,
  );
});
