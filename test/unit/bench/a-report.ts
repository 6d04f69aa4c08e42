import { check } from '../../../src/bench/check.js';
import { distributionOf } from '../../../src/bench/load/latency.js';
import { type BenchReport, describeMachine } from '../../../src/bench/report.js';
import { aGoodRecording } from './a-recording.js';

/** The report of a good run at 50 a second, with changes. */
export function aReport(changes: Partial<BenchReport> = {}): BenchReport {
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
