import { describe, expect, it } from 'vitest';
import { check } from '../../../src/bench/check.js';
import { distributionOf } from '../../../src/bench/latency.js';
import { type BenchReport, describeMachine, formatReport } from '../../../src/bench/report.js';
import { aGoodRecording } from './a-recording.js';

function aReport(changes: Partial<BenchReport> = {}): BenchReport {
  return {
    workload: 'broadcast',
    parties: 3,
    topics: 10,
    sizeBytes: 256,
    warmupMs: 5_000,
    durationMs: 30_000,
    offeredPerSecond: 50,
    confirmedPerSecond: 49.6,
    count: 1_500,
    confirmed: 1_500,
    latencyMs: distributionOf([10, 20, 30]),
    acceptMs: distributionOf([1, 2, 3]),
    messagesPerBatch: 1.8,
    backlog: 0,
    driver: { latenessP99Ms: 1.2, eventLoopLagP99Ms: 2.3 },
    processes: [{ name: 'alice', pid: 1, cpuSeconds: 1.5, peakPssBytes: 104_857_600, peakRssBytes: 125_829_120 }],
    findings: check(aGoodRecording()),
    verdict: 'ok',
    voidReasons: [],
    machine: describeMachine(),
    ...changes,
  };
}

describe('a report', () => {
  it('says everything that a figure needs in its first line', () => {
    const [line = ''] = formatReport(aReport()).split('\n');
    for (const part of [
      'broadcast 3 parties 256 B',
      'offered 50.0/s',
      'p50 20.0',
      'alice 1.5 s CPU 100 MiB',
      'checker ok',
    ]) {
      expect(line).toContain(part);
    }
    expect(line).not.toContain('VOID');
  });

  it('says why a figure does not count', () => {
    expect(formatReport(aReport({ voidReasons: ['the driver was late'] }))).toContain('VOID: the driver was late');
  });

  it('lists every invariant below', () => {
    expect(formatReport(aReport()).split('\n')).toHaveLength(16);
  });
});
