import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { OpenSocket } from '../../client/events/socket.js';
import type { MessageFacts } from '../check/facts/facts.js';
import type { Invariant, Recording } from '../check/recording.js';
import { check } from '../check.js';
import { type DurableRecorder, recordDurably } from '../durable-recorder.js';
import type { Endpoint } from '../endpoint.js';
import { createHttpClient, type HttpAccess, type HttpClient } from '../http.js';
import { canaryOf, groupOf, type LoadRecord, offerLoad, type Workload } from './load.js';
import { searchPlaces, type SearchPlace } from '../search.js';
import { type WatchedProcess, watchProcesses } from '../processes.js';
import { readBlockHash, readContract, readHead, readPayloads, readPins, recordBlocks, recordParty } from '../record.js';
import { searchRate } from './rate.js';
import type { BenchReport } from '../report.js';
import { reportOf } from '../run-report.js';

export interface MessageBenchOptions extends HttpAccess {
  readonly workload: Workload;
  readonly parties: readonly Endpoint[];
  /** The JSON-RPC address of the chain; without it, the checker has no pins. */
  readonly chainUrl?: string | undefined;
  /** The gateway of the shared store; without it, the checker does not know the order within a batch. */
  readonly storeUrl?: string | undefined;
  /** Messages per second; if absent, the highest sustainable rate is searched for. */
  readonly rate?: number | undefined;
  /** The limit of the 99th percentile of latency, above which a run is void; default: none. */
  readonly maxLatencyMs?: number | undefined;
  readonly durationMs: number;
  readonly warmupMs: number;
  readonly sizeBytes: number;
  readonly topics: number;
  readonly openSocket: OpenSocket;
  readonly processes?: readonly WatchedProcess[];
  /** Places to search for private messages that must not be there. */
  readonly places?: readonly SearchPlace[];
  readonly onProgress?: (sentence: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The invariants that a run must prove; the others need other kinds of traffic. */
const required: Readonly<Record<Workload, readonly Invariant[]>> = {
  broadcast: ['I1', 'I2', 'I3', 'I6', 'I7', 'I9', 'I12', 'I14'],
  private: ['I1', 'I2', 'I3', 'I6', 'I7', 'I9', 'I12', 'I14'],
  unpinned: ['I1', 'I2', 'I6', 'I7', 'I9', 'I12', 'I14'],
  mixed: ['I1', 'I2', 'I3', 'I6', 'I7', 'I9', 'I12', 'I14'],
};

const drainMs = 30_000;

/**
 * Sends messages at a rate, open loop, and checks the invariants. Without a rate, it searches for the highest
 * sustainable rate and returns the report of that run.
 */
export async function runMessageBench(options: MessageBenchOptions): Promise<BenchReport> {
  return options.rate === undefined ? searchRate((rate) => runAt(options, rate)) : runAt(options, options.rate);
}

/** Arrival time of each message's event, per party. */
type Arrivals = ReadonlyMap<string, ReadonlyMap<string, number>>;

async function runAt(options: MessageBenchOptions, rate: number): Promise<BenchReport> {
  const { parties, openSocket, onProgress = () => undefined, signal } = options;
  const http = createHttpClient(options);
  const arrivals = new Map(parties.map(({ name }) => [name, new Map<string, number>()]));
  const recorders = parties.map((party) =>
    recordDurably(party, {
      http,
      openSocket,
      firstEvent: 'newest',
      onEvent: (id, atMs) => void arrivals.get(party.name)?.set(id, atMs),
    }),
  );
  try {
    await Promise.all(recorders.map(({ opened }) => opened));
    const run = randomBytes(4).toString('hex');
    const chain = await readChainStart(http, options);
    onProgress(`${rate}/s for ${(options.warmupMs + options.durationMs) / 1_000} s`);
    const watch = await watchProcesses(options.processes ?? []);
    const lag = monitorEventLoopDelay({ resolution: 1 });
    lag.enable();
    const plan = {
      workload: options.workload,
      run,
      parties,
      ratePerSecond: rate,
      sizeBytes: options.sizeBytes,
      topics: options.topics,
      signal,
    };
    const loadEnds = performance.now() + options.warmupMs + options.durationMs;
    const records = await offerLoad(http, { ...plan, durationMs: options.warmupMs + options.durationMs });
    lag.disable();
    const backlog = countUnconfirmed(records, arrivals, loadEnds);
    const processes = await watch.stop();
    await drain(records, arrivals);
    onProgress('checking');
    const recording = await record(http, options, { run, records, recorders, chain });
    const findings = check(recording);
    const batches = new Set(recording.pins.map(({ batchId }) => batchId)).size;
    return reportOf({
      load: { ...options, parties: parties.length },
      rate,
      records,
      processes,
      findings,
      backlog,
      maxLatencyMs: options.maxLatencyMs,
      required: required[options.workload],
      lastArrivalMs: (sent) => lastArrival(sent, arrivals),
      messagesPerBatch: batches === 0 ? null : records.filter(({ kind }) => kind !== 'unpinned').length / batches,
      lagMs: lag.percentile(99) / 1e6,
    });
  } finally {
    await Promise.all(recorders.map((recorder) => recorder.close()));
    http.close();
  }
}

interface ChainStart {
  readonly contract: string;
  readonly block: number;
  readonly hash: string | null;
}

async function readChainStart(http: HttpClient, options: MessageBenchOptions): Promise<ChainStart | undefined> {
  const [first] = options.parties;
  if (options.chainUrl === undefined || first === undefined) return undefined;
  const contract = await readContract(http, first);
  const block = await readHead(http, options.chainUrl);
  return { contract, block, hash: await readBlockHash(http, options.chainUrl, block) };
}

/** Waits, for at most `drainMs`, until every accepted message has its event at every member. */
async function drain(records: readonly LoadRecord[], arrivals: Arrivals): Promise<void> {
  const deadlineMs = performance.now() + drainMs;
  while (countUnconfirmed(records, arrivals, performance.now()) > 0 && performance.now() < deadlineMs) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function countUnconfirmed(records: readonly LoadRecord[], arrivals: Arrivals, atMs: number): number {
  return records.filter((record) => record.id !== null && !(lastArrival(record, arrivals) <= atMs)).length;
}

/** The time of the event at the last member; Infinity if it is missing at one. */
function lastArrival({ id, members }: LoadRecord, arrivals: Arrivals): number {
  if (id === null) return Infinity;
  let last = -Infinity;
  for (const [party, times] of arrivals) {
    if (members === undefined || members.includes(party)) last = Math.max(last, times.get(id) ?? Infinity);
  }
  return last;
}

interface RunEvidence {
  readonly run: string;
  readonly records: readonly LoadRecord[];
  readonly recorders: readonly DurableRecorder[];
  readonly chain: ChainStart | undefined;
}

async function record(
  http: HttpClient,
  { workload, parties, chainUrl, storeUrl, places = [] }: MessageBenchOptions,
  { run, records, recorders, chain }: RunEvidence,
): Promise<Recording> {
  const isOurs = ({ tag }: MessageFacts): boolean => tag === `bench-${run}`;
  const recorded = await Promise.all(
    parties.map((party, index) => {
      const recorder = recorders[index];
      if (recorder === undefined) throw new Error('every party has a recorder');
      return recordParty(http, party, recorder, isOurs);
    }),
  );
  const hasChain = chainUrl !== undefined && chain !== undefined;
  const pins = hasChain ? await readPins(http, chainUrl, chain.contract, chain.block + 1) : [];
  const seen = new Map(hasChain && chain.hash !== null ? [[chain.block, chain.hash]] : []);
  return {
    sends: records,
    parties: recorded,
    pins,
    payloads: storeUrl === undefined ? new Map() : await readPayloads(http, storeUrl, pins),
    searches: workload === 'broadcast' ? [] : await searchPlaces(places, secretsOf(run, parties)),
    blocks: hasChain ? await recordBlocks(http, chainUrl, seen) : [],
  };
}

/** The texts to search for at other parties: one for every group of the run. */
function secretsOf(run: string, parties: readonly Endpoint[]) {
  const names = parties.map(({ name }) => name);
  const groups = new Map(
    names.map((_, index) => {
      const members = groupOf(names, index);
      return [canaryOf(run, members), members] as const;
    }),
  );
  return [...groups].map(([canary, members]) => ({ canary, members }));
}
