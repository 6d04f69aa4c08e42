import { availableParallelism, cpus } from 'node:os';
import type { Finding } from './check/recording.js';
import { formatFindings, type Verdict } from './check.js';
import type { Distribution } from './load/latency.js';
import type { Workload } from './load/load.js';
import type { ProcessUsage } from './processes.js';

/** The result of one run at one rate. */
export interface BenchReport {
  readonly workload: Workload | 'mint';
  readonly parties: number;
  readonly topics: number;
  readonly sizeBytes: number;
  readonly warmupMs: number;
  readonly durationMs: number;
  readonly offeredPerSecond: number;
  /** Messages per second whose event arrived at every party, over the measured time. */
  readonly confirmedPerSecond: number;
  /** Number of messages scheduled within the measured time. */
  readonly count: number;
  readonly confirmed: number;
  /** From the intended send time to the event at the last party. */
  readonly latencyMs: Distribution;
  /** From the intended send time to the 202. */
  readonly acceptMs: Distribution;
  readonly messagesPerBatch: number | null;
  /** Number of messages that were not confirmed at every party when the last one was due. */
  readonly backlog: number;
  readonly driver: { readonly latenessP99Ms: number; readonly eventLoopLagP99Ms: number };
  readonly processes: readonly ProcessUsage[];
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  /** Reasons why the figures are invalid; empty if they are valid. */
  readonly voidReasons: readonly string[];
  readonly machine: { readonly cpu: string; readonly cpus: number; readonly node: string };
}

/** Returns processor model, number of processors, and version of Node. */
export function describeMachine(): BenchReport['machine'] {
  return { cpu: cpus()[0]?.model ?? 'unknown', cpus: availableParallelism(), node: process.version };
}

/** Formats the summary line of a report. */
export function formatLine(report: BenchReport): string {
  const { latencyMs, acceptMs, driver } = report;
  return [
    `${report.workload} ${report.parties} parties ${report.sizeBytes} B ${report.topics} topics`,
    `offered ${round(report.offeredPerSecond)}/s confirmed ${round(report.confirmedPerSecond)}/s n=${report.count}`,
    `latency p50 ${round(latencyMs.p50)} p95 ${round(latencyMs.p95)} p99 ${round(latencyMs.p99)} ms`,
    `max ${round(latencyMs.max)} ms`,
    `accept p99 ${round(acceptMs.p99)} ms`,
    `batch ${report.messagesPerBatch === null ? '?' : round(report.messagesPerBatch)}`,
    `driver late p99 ${round(driver.latenessP99Ms)} ms lag p99 ${round(driver.eventLoopLagP99Ms)} ms`,
    ...report.processes.map(
      ({ name, cpuSeconds, peakPssBytes }) =>
        `${name} ${cpuSeconds ?? '?'} s CPU ${peakPssBytes === null ? '?' : round(peakPssBytes / 1_048_576)} MiB`,
    ),
    `checker ${report.verdict}${report.voidReasons.length === 0 ? '' : ` VOID: ${report.voidReasons.join('; ')}`}`,
    `${report.machine.cpu} ×${report.machine.cpus} node ${report.machine.node}`,
  ].join(' | ');
}

/** Formats the summary line, followed by a line per invariant. */
export function formatReport(report: BenchReport): string {
  return `${formatLine(report)}\n${formatFindings(report.findings)}`;
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
