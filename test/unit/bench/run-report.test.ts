import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../src/bench/run-report.js';
import type { LoadRecord } from '../../../src/bench/load/load.js';
import { check } from '../../../src/bench/check.js';
import { aGoodRecording } from './a-recording.js';

const records: readonly LoadRecord[] = Array.from({ length: 100 }, (_, index) => {
  const intendedMs = 10 * index;
  const answer = { sentMs: intendedMs, acceptedMs: intendedMs + 2, id: String(index), status: 202 };
  return { ...answer, party: 'alice', intendedMs, topics: [], tag: 'bench', valueHashes: [] };
});

/** Returns the reasons against a run whose messages are confirmed after 40 ms, and the last two after 600. */
function reasonsWith(maxLatencyMs: number | undefined): readonly string[] {
  return reportOf({
    load: { workload: 'broadcast', parties: 3, topics: 1, sizeBytes: 1, warmupMs: 0, durationMs: 1_000 },
    rate: 100,
    records,
    processes: [],
    findings: check(aGoodRecording()),
    required: ['I1'],
    lastArrivalMs: ({ id, intendedMs }) => intendedMs + (Number(id) >= 98 ? 600 : 40),
    backlog: 0,
    maxLatencyMs,
    messagesPerBatch: 1,
    lagMs: 1,
  }).voidReasons;
}

describe('a run with a latency limit', () => {
  it('does not count if its 99th percentile is above it', () => {
    expect(reasonsWith(500)).toEqual([expect.stringContaining('the limit is 500 ms')]);
  });

  it('counts if that is below, and without a limit', () => {
    expect(reasonsWith(1_000)).toEqual([]);
    expect(reasonsWith(undefined)).toEqual([]);
  });
});
