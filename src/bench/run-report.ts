import type { Finding, Invariant } from './check/recording.js';
import { verdictOf } from './check.js';
import { type Distribution, distributionOf } from './load/latency.js';
import type { LoadRecord } from './load/load.js';
import { type BenchReport, describeMachine } from './report.js';

const maxDriverLatenessMs = 5;
const minConfirmedShare = 0.99;
const maxBacklogSeconds = 2;

/** The evidence of one run at one rate. */
export interface RunEvidence {
  /** The offered load. */
  readonly load: Pick<BenchReport, 'workload' | 'parties' | 'topics' | 'sizeBytes' | 'warmupMs' | 'durationMs'>;
  readonly rate: number;
  /** In the order of the schedule. */
  readonly records: readonly LoadRecord[];
  /** The time of arrival at the last required party; Infinity if it is missing at one. */
  readonly lastArrivalMs: (record: LoadRecord) => number;
  readonly processes: BenchReport['processes'];
  readonly findings: readonly Finding[];
  /** The invariants that must have evidence. */
  readonly required: readonly Invariant[];
  readonly backlog: number;
  /** The upper limit of the 99th percentile of latency; undefined = none. */
  readonly maxLatencyMs: number | undefined;
  readonly messagesPerBatch: number | null;
  readonly lagMs: number;
}

/** Computes the figures of a run, and the reasons why they are invalid. */
export function reportOf({ load, rate, records, lastArrivalMs, ...parts }: RunEvidence): BenchReport {
  const { workload, parties, topics, sizeBytes, warmupMs, durationMs } = load;
  const startMs = (records[0]?.intendedMs ?? 0) + warmupMs;
  const measured = records.filter(({ intendedMs }) => intendedMs >= startMs);
  const lastArrivals = measured.map(lastArrivalMs);
  const latencies = measured.map(({ intendedMs }, index) => (lastArrivals[index] ?? Infinity) - intendedMs);
  const lateness = distributionOf(measured.map(({ intendedMs, sentMs }) => sentMs - intendedMs)).p99;
  const report = {
    workload,
    parties,
    topics,
    sizeBytes,
    warmupMs,
    durationMs,
    offeredPerSecond: rate,
    confirmedPerSecond: rateOf(lastArrivals.filter(Number.isFinite), startMs, durationMs),
    count: measured.length,
    confirmed: lastArrivals.filter(Number.isFinite).length,
    latencyMs: distributionOf(latencies.filter(Number.isFinite)),
    acceptMs: acceptTimes(measured),
    messagesPerBatch: parts.messagesPerBatch,
    backlog: parts.backlog,
    driver: { latenessP99Ms: lateness, eventLoopLagP99Ms: parts.lagMs },
    processes: parts.processes,
    findings: parts.findings,
    verdict: verdictOf(parts.findings, parts.required),
    machine: describeMachine(),
  } as const;
  return { ...report, voidReasons: voidReasonsOf(report, parts.maxLatencyMs) };
}

/** Confirmed messages per second over the measured time, or over the longer time until the last arrival. */
function rateOf(arrivalsMs: readonly number[], startMs: number, durationMs: number): number {
  const lastMs = arrivalsMs.reduce((last, atMs) => Math.max(last, atMs), startMs + durationMs);
  return Math.round((arrivalsMs.length * 100_000) / (lastMs - startMs)) / 100;
}

function acceptTimes(measured: readonly LoadRecord[]): Distribution {
  return distributionOf(
    measured.flatMap(({ acceptedMs, intendedMs }) => (acceptedMs === null ? [] : acceptedMs - intendedMs)),
  );
}

function voidReasonsOf(
  { driver, confirmed, count, backlog, offeredPerSecond, latencyMs, verdict }: Omit<BenchReport, 'voidReasons'>,
  maxLatencyMs = Infinity,
): string[] {
  const reasons: string[] = [];
  if (count === 0) reasons.push('nothing was sent in the measured time');
  if (driver.latenessP99Ms > maxDriverLatenessMs) {
    const late = driver.latenessP99Ms.toFixed(1);
    reasons.push(`this machine was too busy to send on time: 1 % of the messages were ${late} ms late or more`);
  }
  if (confirmed < minConfirmedShare * count)
    reasons.push(`only ${confirmed} of ${count} messages were confirmed at every party`);
  if (backlog > maxBacklogSeconds * offeredPerSecond) reasons.push(`${backlog} messages were unconfirmed at the end`);
  if (latencyMs.p99 > maxLatencyMs) {
    reasons.push(`the 99th percentile of latency is ${Math.round(latencyMs.p99)} ms; the limit is ${maxLatencyMs} ms`);
  }
  if (verdict === 'VIOLATED') reasons.push('messages were lost, duplicated, out of order or changed');
  if (verdict === 'NO EVIDENCE') reasons.push('there was too little evidence to check the run');
  return reasons;
}
