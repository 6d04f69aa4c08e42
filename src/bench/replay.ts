import { randomBytes } from 'node:crypto';
import type { OpenSocket } from '../client/events/socket.js';
import { itemsOf, rawMembersOf, textMember } from './check/raw-json.js';
import type { DurableRecord, Finding } from './check/recording.js';
import { check, type Verdict, verdictOf } from './check.js';
import { recordDurably } from './durable-recorder.js';
import { createHttpClient, type HttpAccess, type HttpClient } from './http.js';
import { type ProcessUsage, type WatchedProcess, watchProcesses } from './processes.js';
import type { Endpoint } from './endpoint.js';
import { describeMachine } from './report.js';

export interface ReplayBenchOptions extends HttpAccess {
  readonly party: Endpoint;
  /** Number of events to replay. If the node has fewer, messages are sent first. */
  readonly events: number;
  readonly readAhead: number;
  /** Number of replays. The report gives their median. */
  readonly repeats: number;
  readonly openSocket: OpenSocket;
  readonly processes?: readonly WatchedProcess[];
  readonly onProgress?: (sentence: string) => void;
}

/** The result of replaying stored events. */
export interface ReplayReport {
  readonly workload: 'replay';
  readonly party: string;
  readonly events: number;
  readonly readAhead: number;
  /** Events per second of each replay, from opening the socket until the last acknowledgement is on the node's disk. */
  readonly runs: readonly number[];
  readonly medianPerSecond: number;
  readonly worstPerSecond: number;
  /** Over all replays. */
  readonly processes: readonly ProcessUsage[];
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  readonly machine: ReturnType<typeof describeMachine>;
}

const type = '^message_confirmed';
const base = '/api/v1/namespaces/default';
const sendsAtOnce = 64;
const silenceMs = 30_000;

/** Replays the newest events of a node to a durable subscription, with acknowledgements, and checks every replay. */
export async function runReplayBench(options: ReplayBenchOptions): Promise<ReplayReport> {
  const { party, events, readAhead, onProgress = () => undefined } = options;
  const http = createHttpClient(options);
  try {
    const missing = events - (await countEvents(http, party));
    if (missing > 0) {
      onProgress(`sending ${missing} messages, for ${events} events in total`);
      await fill(http, party, missing);
    }
    const watch = await watchProcesses(options.processes ?? []);
    const runs: Replay[] = [];
    for (let run = 1; run <= options.repeats; run++) {
      onProgress(`replaying ${events} events, ${run} of ${options.repeats}`);
      runs.push(await replay(http, options));
    }
    const processes = await watch.stop();
    onProgress('checking');
    const findings = worstOf(runs.map(({ durable }) => findingsOf(party.name, durable)));
    const rates = runs.map(({ perSecond }) => perSecond).sort((a, b) => a - b);
    return {
      workload: 'replay',
      party: party.name,
      events,
      readAhead,
      runs: runs.map(({ perSecond }) => perSecond),
      medianPerSecond: rates[Math.floor((rates.length - 1) / 2)] ?? 0,
      worstPerSecond: rates[0] ?? 0,
      processes,
      findings,
      verdict: verdictOf(findings, ['I9']),
      machine: describeMachine(),
    };
  } finally {
    http.close();
  }
}

interface Replay {
  readonly perSecond: number;
  readonly durable: DurableRecord;
}

async function replay(http: HttpClient, { party, events, readAhead, openSocket }: ReplayBenchOptions): Promise<Replay> {
  const firstEvent = await sequenceBefore(http, party, events);
  let count = 0;
  let lastMs = performance.now();
  const startMs = lastMs;
  const recorder = recordDurably(party, {
    http,
    openSocket,
    firstEvent,
    readAhead,
    events: type,
    onEvent: (_reference, atMs) => {
      count += 1;
      lastMs = atMs;
    },
  });
  try {
    const openedMs = await recorder.opened.then(() => performance.now());
    while (count < events) {
      if (performance.now() - Math.max(lastMs, startMs) > silenceMs) {
        throw new Error(`only ${count} of ${events} events arrived`);
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const settledMs = await recorder.settled();
    return {
      perSecond: Math.round((events * 1_000) / (settledMs - openedMs)),
      durable: await recorder.record(),
    };
  } finally {
    await recorder.close();
  }
}

async function countEvents(http: HttpClient, { url }: Endpoint): Promise<number> {
  const path = `${base}/events?type=${encodeURIComponent(type)}&count&limit=0`;
  return Number(rawMembersOf((await http.get(url + path)).toString('utf8')).get('total'));
}

/** The sequence of the event before the newest `events` events; −1 if there is none. */
async function sequenceBefore(http: HttpClient, { url }: Endpoint, events: number): Promise<number> {
  const path = `${base}/events?type=${encodeURIComponent(type)}&limit=1&skip=${events}`;
  const [event] = itemsOf((await http.get(url + path)).toString('utf8'));
  return event === undefined ? -1 : Number(rawMembersOf(event).get('sequence'));
}

/** Sends messages from the node to itself, which creates one event each without work for other nodes. */
async function fill(http: HttpClient, party: Endpoint, count: number): Promise<void> {
  const status = rawMembersOf((await http.get(`${party.url}${base}/status`)).toString('utf8'));
  const identity = textMember(rawMembersOf(status.get('org') ?? '{}'), 'did') ?? '';
  const run = randomBytes(4).toString('hex');
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const value = `bench-${run} ${next++}`;
      const header = { txtype: 'none', tag: `bench-${run}`, topics: [`bench-${run}`] };
      const body = JSON.stringify({ header, group: { members: [{ identity }] }, data: [{ value }] });
      const { status: code, bytes } = await http.exchange(`${party.url}${base}/messages/private`, {
        method: 'POST',
        body,
      });
      if (code !== 202)
        throw new Error(`sending a message failed with status ${code}: ${bytes.toString('utf8').slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: sendsAtOnce }, worker));
}

function findingsOf(name: string, durable: DurableRecord): Finding[] {
  const parties = [{ name, connections: [], messages: [], pending: undefined, durable }];
  return check({ sends: [], parties, pins: [], payloads: new Map(), blocks: [] });
}

/** The findings of the first replay whose verdict is not ok, otherwise of the last replay. */
function worstOf(findings: readonly Finding[][]): Finding[] {
  return findings.find((each) => verdictOf(each, ['I9']) !== 'ok') ?? findings.at(-1) ?? [];
}
