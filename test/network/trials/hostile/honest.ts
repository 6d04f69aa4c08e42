import type { HttpClient } from '../../../../src/bench/http.js';
import { type DurableRecorder, recordDurably } from '../../../../src/bench/durable-recorder.js';
import { type LoadRecord, offerLoad } from '../../../../src/bench/load/load.js';
import { openSocket } from '../../../../src/cli/requests/open-socket.js';
import type { Party } from './world.js';

/** Honest traffic of all parties, and how long each message took until the last party had confirmed it. */
export interface HonestTraffic {
  /** Ends the traffic and waits for messages in progress. */
  end(): Promise<readonly HonestMessage[]>;
}

export interface HonestMessage {
  /** Intended time, in milliseconds since 1970. */
  readonly intendedMs: number;
  /**
   * Milliseconds from the intended time to the last event; null if it was not accepted, or not confirmed at a party
   * within the time.
   */
  readonly latencyMs: number | null;
}

export interface HonestPlan {
  readonly run: string;
  readonly ratePerSecond: number;
}

const drainMs = 120_000;
const longestMs = 3_600_000;

/** Sends broadcasts of all parties in turn, at intended times, until it is ended. */
export async function startHonestTraffic(
  http: HttpClient,
  parties: readonly Party[],
  { run, ratePerSecond }: HonestPlan,
): Promise<HonestTraffic> {
  const arrivals = new Map(parties.map(({ name }) => [name, new Map<string, number>()]));
  const recorders = parties.map((party) =>
    recordDurably(party, {
      http,
      openSocket,
      firstEvent: 'newest' as const,
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
      return records.map((record) => {
        const latencyMs = lastArrival(record) - record.intendedMs;
        const intendedMs = performance.timeOrigin + record.intendedMs;
        return { intendedMs, latencyMs: latencyMs === Infinity ? null : latencyMs };
      });
    },
  };
}
