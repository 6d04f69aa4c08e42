import type { HttpClient } from '../../../../src/bench/http.js';
import { type DurableRecorder, recordDurably } from '../../../../src/bench/durable-recorder.js';
import { type LoadRecord, offerLoad } from '../../../../src/bench/load.js';
import { openSocket } from '../../../../src/cli/open-socket.js';
import type { Party } from './world.js';

/** Honest traffic of all parties, and how long each message took until the last party had confirmed it. */
export interface HonestTraffic {
  /** Ends the traffic and waits for what is on its way. */
  end(): Promise<HonestOutcome>;
}

export interface HonestOutcome {
  readonly sent: number;
  /** Messages that were not accepted, or not confirmed at a party within the time. */
  readonly lost: number;
  /** Milliseconds from the intended time to the last event, sorted. */
  readonly latenciesMs: readonly number[];
  /** Those of the messages intended between two times of `performance.now()`. */
  latenciesBetween(fromMs: number, toMs: number): readonly number[];
}

const drainMs = 120_000;
const longestMs = 3_600_000;

/** Sends broadcasts of all parties in turn, open loop, until it is ended. */
export async function startHonestTraffic(
  http: HttpClient,
  parties: readonly Party[],
  { run, ratePerSecond }: { readonly run: string; readonly ratePerSecond: number },
): Promise<HonestTraffic> {
  const arrivals = new Map(parties.map(({ name }) => [name, new Map<string, number>()]));
  const recorders = parties.map((party) =>
    recordDurably(party, {
      ...{ http, openSocket, firstEvent: 'newest' as const },
      onEvent: (id, atMs) => void arrivals.get(party.name)?.set(id, atMs),
    }),
  );
  await Promise.all(recorders.map(({ opened }) => opened));
  const ending = new AbortController();
  const plan = { run, parties, ratePerSecond, durationMs: longestMs, sizeBytes: 512, topics: 20, maxRepeats: 5 };
  const offered = offerLoad(http, { ...plan, signal: ending.signal });
  return {
    async end() {
      ending.abort();
      const records = await offered;
      const lastArrival = ({ id }: LoadRecord): number =>
        Math.max(...[...arrivals.values()].map((times) => (id === null ? Infinity : (times.get(id) ?? Infinity))));
      const deadlineMs = performance.now() + drainMs;
      while (records.some((record) => lastArrival(record) === Infinity) && performance.now() < deadlineMs) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await Promise.all(recorders.map((recorder: DurableRecorder) => recorder.close()));
      const timed = records.map((record) => {
        return { intendedMs: record.intendedMs, latencyMs: lastArrival(record) - record.intendedMs };
      });
      const latencies = timed.map(({ latencyMs }) => latencyMs);
      return {
        sent: records.length,
        lost: latencies.filter((latency) => latency === Infinity).length,
        latenciesMs: latencies.filter((latency) => latency !== Infinity).sort((left, right) => left - right),
        latenciesBetween(fromMs, toMs) {
          const within = timed.filter(({ intendedMs }) => intendedMs >= fromMs && intendedMs < toMs);
          return within.map(({ latencyMs }) => latencyMs);
        },
      };
    },
  };
}

/** The value below which this share of sorted values lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
