import { describe, expect, it } from 'vitest';
import { benchMessages, benchMint, reportText } from '../../../../src/cli/bench/bench.js';
import type { BenchReport } from '../../../../src/bench/report.js';
import { memoryOutput } from '../memory-output.js';

const spread = { count: 6_000, p50: 38.2, p95: 60, p99: 80, max: 120 };
const processes = ['chain', 'store', 'alice', 'bob', 'carol'].map((name, pid) => {
  return { name, pid, cpuSeconds: 2.1, peakPssBytes: 120_000_000, peakRssBytes: 130_000_000 };
});
const report: BenchReport = {
  workload: 'broadcast',
  parties: 3,
  topics: 16,
  sizeBytes: 256,
  warmupMs: 5_000,
  durationMs: 30_000,
  offeredPerSecond: 200,
  confirmedPerSecond: 200,
  count: 6_000,
  confirmed: 6_000,
  latencyMs: spread,
  acceptMs: spread,
  messagesPerBatch: 12.3,
  backlog: 0,
  processes,
  findings: [],
  driver: { latenessP99Ms: 1, eventLoopLagP99Ms: 2 },
  verdict: 'ok',
  voidReasons: [],
  machine: { cpu: 'a processor', cpus: 2, node: 'v20.20.0' },
};

describe('a benchmark', () => {
  it.each(['0', '0s', '0ms'])('with the duration %s is refused before anything is sent', async (duration) => {
    const context = { output: memoryOutput().output, environment: {}, program: 'stack' };
    const flags = { duration, warmup: '5s', size: 1, topics: 1, url: 'http://127.0.0.1:1' };
    const refused = { code: 'USAGE', message: expect.stringContaining('--duration must be more than 0') };
    await expect(benchMessages('broadcast', flags, context)).rejects.toMatchObject(refused);
    await expect(benchMint(flags, context)).rejects.toMatchObject(refused);
  });

  it('is printed in at most eight lines, with the load generator only for --verbose', () => {
    const lines = reportText(report, memoryOutput().output).split('\n');
    expect(lines.length).toBeLessThanOrEqual(8);
    expect(lines.join('\n')).not.toMatch(/NaN|generator|loop|PSS/);
    expect(lines.at(-1)).toMatch(/^✓/);
    const verbose = reportText(report, memoryOutput({ modes: { isVerbose: true } }).output);
    expect(verbose).toContain('generator');
  });

  it('that does not count gives the reason, and has no ✓', () => {
    const text = reportText(
      { ...report, voidReasons: ['60 messages were unconfirmed at the end'] },
      memoryOutput().output,
    );
    expect(text).toMatch(/✗ These figures do not count:\n {2}60 messages were unconfirmed at the end/);
    expect(text).not.toContain('✓');
  });

  it('that does not count shows only the violated invariants', () => {
    const lost = { invariant: 'I1', title: 'no loss', status: 'VIOLATED', evidence: 9, proof: '3fa8 at bob' } as const;
    const held = { invariant: 'I2', title: 'no duplicate', status: 'ok', evidence: 9, proof: null } as const;
    const unseen = { invariant: 'I8', title: 'privacy', status: 'NO EVIDENCE', evidence: 0, proof: null } as const;
    const findings = [lost, held, unseen];
    const late = reportText({ ...report, findings, voidReasons: ['too busy'] }, memoryOutput().output);
    expect(late.split('\n').at(-1)).toBe('  too busy');
    const bad = reportText({ ...report, findings, verdict: 'VIOLATED', voidReasons: ['lost'] }, memoryOutput().output);
    expect(bad.split('\n').slice(-2)).toEqual(['  lost', '  I1     no loss: VIOLATED (9): 3fa8 at bob']);
  });

  it('takes a duration as its latency limit', async () => {
    const context = { output: memoryOutput().output, environment: {}, program: 'stack' };
    const flags = { duration: '1s', warmup: '0', size: 1, topics: 1, url: 'http://127.0.0.1:1', slo: 'soon' };
    await expect(benchMessages('broadcast', flags, context)).rejects.toMatchObject({ code: 'USAGE' });
  });
});
