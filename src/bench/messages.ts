import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { HeadersOf } from '../client/headers.js';
import type { OpenSocket } from '../client/socket.js';
import type { MessageFacts } from './check/facts.js';
import type { Finding, Invariant, Recording } from './check/recording.js';
import { check, exitCodeOf } from './check.js';
import { type DurableRecorder, recordDurably } from './durable-recorder.js';
import type { Endpoint } from './endpoint.js';
import { createHttpClient, type HttpClient } from './http.js';
import { type Distribution, distributionOf } from './latency.js';
import { canaryOf, groupOf, type LoadRecord, offerLoad, type Workload } from './load.js';
import { searchPlaces, type SearchPlace } from './search.js';
import { type WatchedProcess, watchProcesses } from './processes.js';
import { readBlockHash, readContract, readHead, readPayloads, readPins, recordBlocks, recordParty } from './record.js';
import { type BenchReport, describeMachine } from './report.js';

export interface MessageBenchOptions {
  readonly workload: Workload;
  readonly parties: readonly Endpoint[];
  /** JSON-RPC address of the chain: without it the checker sees no pins. */
  readonly chainUrl?: string | undefined;
  /** Gateway of the shared store: without it the checker cannot tell the order inside a batch. */
  readonly storeUrl?: string | undefined;
  /** Messages per second; without it the highest rate that holds is searched. */
  readonly rate?: number | undefined;
  readonly durationMs: number;
  readonly warmupMs: number;
  readonly sizeBytes: number;
  readonly topics: number;
  readonly openSocket: OpenSocket;
  /** What nodes ask of whoever asks them. */
  readonly headersOf?: HeadersOf;
  readonly processes?: readonly WatchedProcess[];
  /** Where private messages are looked for at those who must not have them. */
  readonly places?: readonly SearchPlace[];
  readonly onProgress?: (sentence: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** What a clean run has to show; the others need traffic of another kind. */
const required: Readonly<Record<Workload, readonly Invariant[]>> = {
  broadcast: ['I1', 'I2', 'I3', 'I6', 'I7', 'I9', 'I12', 'I14'],
  private: ['I1', 'I2', 'I3', 'I6', 'I7', 'I9', 'I12', 'I14'],
  unpinned: ['I1', 'I2', 'I6', 'I7', 'I9', 'I12', 'I14'],
};

const maxDriverLatenessMs = 5;
const minConfirmedShare = 0.99;
const maxBacklogSeconds = 2;
const drainMs = 30_000;

/**
 * Sends at a rate, open loop, and judges the same run by the invariants. Without a rate:
 * steps it up until a run is void and answers the last good one.
 */
export async function runMessageBench(options: MessageBenchOptions): Promise<BenchReport> {
  return options.rate === undefined ? searchRate(options) : runAt(options, options.rate);
}

const firstRate = 100;
const growth = 1.5;
const refinements = 3;

async function searchRate(options: MessageBenchOptions): Promise<BenchReport> {
  let best = await runAt(options, firstRate);
  if (best.voidReasons.length > 0) return best;
  let low = firstRate;
  let high = firstRate;
  for (;;) {
    high = Math.round(low * growth);
    const report = await runAt(options, high);
    if (report.voidReasons.length > 0) break;
    best = report;
    low = high;
  }
  for (let step = 0; step < refinements; step++) {
    const middle = Math.round((low + high) / 2);
    const report = await runAt(options, middle);
    if (report.voidReasons.length > 0) high = middle;
    else [best, low] = [report, middle];
  }
  return best;
}

/** When the event of each message came, per party. */
type Arrivals = ReadonlyMap<string, ReadonlyMap<string, number>>;

async function runAt(options: MessageBenchOptions, rate: number): Promise<BenchReport> {
  const { parties, openSocket, onProgress = () => undefined, signal } = options;
  const http = createHttpClient({ headersOf: options.headersOf });
  const arrivals = new Map(parties.map(({ name }) => [name, new Map<string, number>()]));
  const recorders = parties.map((party) =>
    recordDurably(party, {
      ...{ http, openSocket, firstEvent: 'newest' },
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
    return toReport({
      options,
      rate,
      records,
      arrivals,
      processes,
      findings,
      backlog,
      batches,
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

/** Waits until every accepted message has its event at every party, for a limited time. */
async function drain(records: readonly LoadRecord[], arrivals: Arrivals): Promise<void> {
  const deadlineMs = performance.now() + drainMs;
  while (countUnconfirmed(records, arrivals, performance.now()) > 0 && performance.now() < deadlineMs) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function countUnconfirmed(records: readonly LoadRecord[], arrivals: Arrivals, atMs: number): number {
  return records.filter((record) => record.id !== null && !(lastArrival(record, arrivals) <= atMs)).length;
}

/** When the event was at the last member; Infinity while it is missing somewhere. */
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

/** What is looked for at others: a text of every group that the run has sent to. */
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

interface ReportParts {
  readonly options: MessageBenchOptions;
  readonly rate: number;
  readonly records: readonly LoadRecord[];
  readonly arrivals: Arrivals;
  readonly processes: BenchReport['processes'];
  readonly findings: readonly Finding[];
  readonly backlog: number;
  readonly batches: number;
  readonly lagMs: number;
}

function toReport(parts: ReportParts): BenchReport {
  const { options, rate, records, arrivals, findings, backlog, batches } = parts;
  const startMs = (records[0]?.intendedMs ?? 0) + options.warmupMs;
  const measured = records.filter(({ intendedMs }) => intendedMs >= startMs);
  const lastArrivals = measured.map((record) => lastArrival(record, arrivals));
  const confirmed = lastArrivals.filter(Number.isFinite).length;
  const latencies = measured.map(({ intendedMs }, index) => (lastArrivals[index] ?? Infinity) - intendedMs);
  const exitCode = exitCodeOf(findings, required[options.workload]);
  const lateness = distributionOf(measured.map(({ intendedMs, sentMs }) => sentMs - intendedMs)).p99;
  const report = {
    workload: options.workload,
    parties: options.parties.length,
    topics: options.topics,
    sizeBytes: options.sizeBytes,
    warmupMs: options.warmupMs,
    durationMs: options.durationMs,
    offeredPerSecond: rate,
    confirmedPerSecond: rateOf(lastArrivals.filter(Number.isFinite), startMs, options.durationMs),
    count: measured.length,
    confirmed,
    latencyMs: distributionOf(latencies.filter(Number.isFinite)),
    acceptMs: acceptTimes(measured),
    messagesPerBatch: batches === 0 ? null : records.length / batches,
    backlog,
    driver: { latenessP99Ms: lateness, eventLoopLagP99Ms: parts.lagMs },
    processes: parts.processes,
    findings,
    verdict: ({ 0: 'ok', 1: 'VIOLATED', 2: 'NO EVIDENCE' } as const)[exitCode],
    machine: describeMachine(),
  } as const;
  return { ...report, voidReasons: voidReasonsOf(report) };
}

/** Confirmed per second over the measured time, or over the longer time that it took. */
function rateOf(arrivalsMs: readonly number[], startMs: number, durationMs: number): number {
  const lastMs = arrivalsMs.reduce((last, atMs) => Math.max(last, atMs), startMs + durationMs);
  return Math.round((arrivalsMs.length * 100_000) / (lastMs - startMs)) / 100;
}

function acceptTimes(measured: readonly LoadRecord[]): Distribution {
  return distributionOf(
    measured.flatMap(({ acceptedMs, intendedMs }) => (acceptedMs === null ? [] : acceptedMs - intendedMs)),
  );
}

function voidReasonsOf(report: Omit<BenchReport, 'voidReasons'>): string[] {
  const { driver, confirmed, count, backlog, offeredPerSecond, verdict } = report;
  const reasons: string[] = [];
  if (driver.latenessP99Ms > maxDriverLatenessMs) reasons.push(`the driver was late (p99 ${driver.latenessP99Ms} ms)`);
  if (confirmed < minConfirmedShare * count) reasons.push(`only ${confirmed} of ${count} were confirmed everywhere`);
  if (backlog > maxBacklogSeconds * offeredPerSecond) reasons.push(`${backlog} were waiting at the end`);
  if (verdict !== 'ok') reasons.push(`the checker says ${verdict}`);
  return reasons;
}
