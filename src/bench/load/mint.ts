import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { rawMembersOf, textMember } from '../check/raw-json.js';
import type { Finding, Recording } from '../check/recording.js';
import { check } from '../check.js';
import { type DurableRecorder, recordDurably } from '../durable-recorder.js';
import type { Endpoint } from '../endpoint.js';
import { createHttpClient, type HttpClient } from '../http.js';
import { type LoadRecord, openLoop } from './load.js';
import type { MessageBenchOptions } from './messages.js';
import { watchProcesses } from '../processes.js';
import { searchRate } from './rate.js';
import { readPending } from '../record.js';
import type { BenchReport } from '../report.js';
import { reportOf } from '../run-report.js';
import { recordTokens } from '../token-record.js';

export type MintBenchOptions = Pick<
  MessageBenchOptions,
  | 'parties'
  | 'rate'
  | 'maxLatencyMs'
  | 'durationMs'
  | 'warmupMs'
  | 'openSocket'
  | 'headersOf'
  | 'agentOf'
  | 'processes'
  | 'onProgress'
  | 'signal'
>;

const drainMs = 30_000;
const pollMs = 50;

/**
 * Mints at a rate, open loop, every party in its own pool, and checks the run: each accepted mint is recorded once at
 * every party, and balances are the sums of mints. Without a rate, it searches for the highest sustainable rate.
 */
export async function runMintBench(options: MintBenchOptions): Promise<BenchReport> {
  return options.rate === undefined ? searchRate((rate) => runAt(options, rate)) : runAt(options, options.rate);
}

/** Arrival times of the transfers' events by party, then by the transfer's local id. */
type Arrivals = ReadonlyMap<string, Map<string, number>>;

async function runAt(options: MintBenchOptions, rate: number): Promise<BenchReport> {
  const { parties, openSocket, warmupMs, durationMs, onProgress = () => undefined, signal } = options;
  const http = createHttpClient(options);
  const run = randomBytes(4).toString('hex');
  const arrivals = new Map(parties.map(({ name }) => [name, new Map<string, number>()]));
  onProgress('creating a pool for each party');
  const pools = await createPools(http, parties, run);
  const recorders = parties.map((party) =>
    recordDurably(party, {
      http,
      openSocket,
      firstEvent: 'newest',
      events: '^token_transfer_confirmed',
      onEvent: (id, atMs) => void arrivals.get(party.name)?.set(id, atMs),
    }),
  );
  try {
    await Promise.all(recorders.map(({ opened }) => opened));
    onProgress(`${rate}/s for ${(warmupMs + durationMs) / 1_000} s`);
    const watch = await watchProcesses(options.processes ?? []);
    const lag = monitorEventLoopDelay({ resolution: 1 });
    lag.enable();
    const loadEndsMs = performance.now() + warmupMs + durationMs;
    const plan = { ratePerSecond: rate, durationMs: warmupMs + durationMs, signal };
    const records = await openLoop(plan, (index, dueMs) => mint(http, { parties, pools, run }, index, dueMs));
    lag.disable();
    const processes = await watch.stop();
    const accepted = records.filter(({ id }) => id !== null);
    await drain(accepted.length, arrivals);
    onProgress('checking');
    const { recording, times } = await recordAll(http, parties, { pools, recorders, arrivals });
    const lastArrivalMs = ({ id }: LoadRecord) => Math.max(...times.map((at) => at.get(id ?? '') ?? Infinity));
    return reportOf({
      load: { workload: 'mint', parties: parties.length, topics: pools.size, sizeBytes: 0, warmupMs, durationMs },
      rate,
      records,
      processes,
      lastArrivalMs,
      findings: judge(recording, accepted, times),
      required: ['I1', 'I11', 'I12'],
      backlog: accepted.filter((record) => lastArrivalMs(record) > loadEndsMs).length,
      messagesPerBatch: null,
      maxLatencyMs: options.maxLatencyMs,
      lagMs: lag.percentile(99) / 1e6,
    });
  } finally {
    await Promise.all(recorders.map((recorder) => recorder.close()));
    http.close();
  }
}

/**
 * Creates a pool for each party, in which only that party may mint, and waits until all are active at every party;
 * returns their ids by party.
 */
async function createPools(
  http: HttpClient,
  parties: readonly Endpoint[],
  run: string,
): Promise<ReadonlyMap<string, string>> {
  const created = parties.map(async ({ name, url }) => {
    const body = JSON.stringify({ name: `bench-${run}-${name}`, type: 'fungible', connector: 'erc1155' });
    const path = `${url}/api/v1/namespaces/default/tokens/pools?confirm=true`;
    const { status, bytes } = await http.exchange(path, { method: 'POST', body });
    const text = bytes.toString('utf8');
    if (status !== 200) throw new Error(`${name} did not create a pool (${status}): ${text.slice(0, 300)}`);
    return [name, textMember(rawMembersOf(text), 'id') ?? ''] as const;
  });
  const pools = new Map(await Promise.all(created));
  const deadlineMs = performance.now() + drainMs;
  for (const party of parties) {
    for (const pool of pools.values()) {
      while (!(await isActive(http, party, pool))) {
        if (performance.now() > deadlineMs) throw new Error(`a pool did not become active at ${party.name}`);
        await pause();
      }
    }
  }
  return pools;
}

async function isActive(http: HttpClient, { url }: Endpoint, pool: string): Promise<boolean> {
  const { status, bytes } = await http.exchange(`${url}/api/v1/namespaces/default/tokens/pools/${pool}`);
  return status === 200 && rawMembersOf(bytes.toString('utf8')).get('active') === 'true';
}

interface MintPlan {
  readonly parties: readonly Endpoint[];
  readonly pools: ReadonlyMap<string, string>;
  readonly run: string;
}

/** Sends one mint. Amounts are unique within a run, so that a record identifies its mint. */
async function mint(http: HttpClient, plan: MintPlan, index: number, intendedMs: number): Promise<LoadRecord> {
  const party = plan.parties[index % plan.parties.length];
  if (party === undefined) throw new Error('a load needs at least one party');
  const pool = plan.pools.get(party.name) ?? '';
  const amount = String(index + 1);
  const sent = { party: party.name, topics: [], tag: plan.run, valueHashes: [], intendedMs };
  const body = JSON.stringify({ pool, amount, idempotencyKey: `${plan.run}-${index}` });
  const sentMs = performance.now();
  try {
    const { status } = await http.exchange(`${party.url}/api/v1/namespaces/default/tokens/mint`, {
      method: 'POST',
      body,
    });
    const id = status === 202 ? keyOf(pool, amount) : null;
    return { ...sent, sentMs, acceptedMs: id === null ? null : performance.now(), id, status };
  } catch {
    // Without a response, it is unknown whether the request was accepted.
    return { ...sent, sentMs, acceptedMs: null, id: null, status: null };
  }
}

function keyOf(pool: string, amount: string): string {
  return `${pool}/${amount}`;
}

async function drain(count: number, arrivals: Arrivals): Promise<void> {
  const deadlineMs = performance.now() + drainMs;
  const isDrained = () => [...arrivals.values()].every(({ size }) => size >= count);
  while (!isDrained() && performance.now() < deadlineMs) await pause();
}

interface Evidence {
  readonly pools: ReadonlyMap<string, string>;
  readonly recorders: readonly DurableRecorder[];
  readonly arrivals: Arrivals;
}

/** Reads the final records of all parties, and the arrival time of each mint at each party. */
async function recordAll(http: HttpClient, parties: readonly Endpoint[], { pools, recorders, arrivals }: Evidence) {
  const recorded = await Promise.all(
    parties.map(async (party, index) => {
      const tokens = await recordTokens(http, party, [...pools.values()]);
      const durable = await recorders[index]?.record();
      return { party, tokens, durable, pending: await readPending(http, party) };
    }),
  );
  const times = recorded.map(({ party, tokens }) => {
    const arrived = arrivals.get(party.name);
    return new Map(
      tokens.transfers.map(({ pool, amount, localId }) => {
        return [keyOf(pool, amount), arrived?.get(localId) ?? Infinity] as const;
      }),
    );
  });
  const records = recorded.map(({ party, tokens, durable, pending }) => ({
    name: party.name,
    connections: [],
    messages: [],
    pending,
    tokens,
    ...(durable !== undefined && { durable }),
  }));
  const noMessages = { sends: [], pins: [], payloads: new Map<never, never>(), blocks: [] };
  const recording: Recording = { ...noMessages, parties: records };
  return { recording, times };
}

/** The checker's findings, with I1 replaced: every accepted mint arrived at every party. */
function judge(
  recording: Recording,
  accepted: readonly LoadRecord[],
  times: readonly ReadonlyMap<string, number>[],
): Finding[] {
  const lost = accepted.flatMap(({ id }) => {
    const party = recording.parties[times.findIndex((at) => !Number.isFinite(at.get(id ?? '') ?? Infinity))];
    return party === undefined ? [] : [`the mint ${id ?? ''} did not arrive at ${party.name}`];
  });
  const status = lost.length > 0 ? 'VIOLATED' : accepted.length > 0 ? 'ok' : 'NO EVIDENCE';
  const noLoss = {
    invariant: 'I1',
    title: 'no loss',
    status,
    evidence: accepted.length,
    proof: lost[0] ?? null,
  } as const;
  return check(recording).map((finding) => (finding.invariant === 'I1' ? noLoss : finding));
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pollMs));
}
