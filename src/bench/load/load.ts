import type { Endpoint } from '../endpoint.js';
import { sha256 } from '../check/facts/facts.js';
import type { HttpClient } from '../http.js';

/** The delivery of a message: to everybody, or to a group of two, pinned or unpinned. */
export type MessageKind = 'broadcast' | 'private' | 'unpinned';
/** The kinds of messages to send; `mixed`: each party cycles through all kinds. */
export type Workload = MessageKind | 'mixed';

const kinds: readonly MessageKind[] = ['broadcast', 'private', 'unpinned'];

/** The kind of the message with this number. */
export function kindOf(workload: Workload, index: number, parties: number): MessageKind {
  return workload === 'mixed' ? (kinds[Math.floor(index / parties) % kinds.length] ?? 'broadcast') : workload;
}

/** One message of the load: the intended send and the response. Times are those of `performance.now()`. */
export interface LoadRecord {
  readonly party: string;
  readonly intendedMs: number;
  readonly sentMs: number;
  readonly acceptedMs: number | null;
  readonly id: string | null;
  /** Status of the last response; null if there was none. */
  readonly status: number | null;
  readonly topics: readonly string[];
  readonly tag: string;
  /** Absent for loads other than messages. */
  readonly kind?: MessageKind;
  readonly valueHashes: readonly string[];
  /** Names of the parties of its group; absent = all. */
  readonly members?: readonly string[];
}

export interface LoadPlan {
  /** Default: broadcasts. */
  readonly workload?: Workload;
  /** Unique per run; part of topics, tag and idempotency keys, so that no message equals one of another run. */
  readonly run: string;
  readonly parties: readonly Endpoint[];
  readonly ratePerSecond: number;
  readonly durationMs: number;
  /** Bytes of each value. */
  readonly sizeBytes: number;
  /** Number of topics that the messages alternate between. */
  readonly topics: number;
  readonly namespace?: string;
  readonly signal?: AbortSignal | undefined;
  /** How often a send without a response is repeated, with the same idempotency key. Default: never. */
  readonly maxRepeats?: number;
  readonly onAccepted?: (record: LoadRecord) => void;
}

const tickMs = 1;
const repeatDelayMs = 100;
const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/**
 * Generates an open-loop load: each message is sent at its scheduled time, whether or not earlier ones were answered.
 * Resolves when the last one has its response, in the order of the schedule.
 */
export function offerLoad(http: HttpClient, plan: LoadPlan): Promise<LoadRecord[]> {
  return openLoop(plan, (index, dueMs) => send(http, plan, index, dueMs));
}

/** Generates an open-loop load of any kind: `send` is called for each number at its scheduled time. */
export async function openLoop<Record>(
  plan: Pick<LoadPlan, 'ratePerSecond' | 'durationMs' | 'signal'>,
  send: (index: number, dueMs: number) => Promise<Record>,
): Promise<Record[]> {
  const total = Math.floor((plan.ratePerSecond * plan.durationMs) / 1_000);
  const startMs = performance.now();
  const under: Promise<Record>[] = [];
  for (let index = 0; index < total && plan.signal?.aborted !== true;) {
    const dueMs = startMs + (index * 1_000) / plan.ratePerSecond;
    if (dueMs <= performance.now()) {
      under.push(send(index, dueMs));
      index++;
    } else {
      await new Promise((resolve) => setTimeout(resolve, tickMs));
    }
  }
  return Promise.all(under);
}

/** The recipients of a message by its number: its sender and the next party. */
export function groupOf(names: readonly string[], index: number): string[] {
  const [sender, other] = [names[index % names.length], names[(index + 1) % names.length]];
  return [...new Set([sender ?? '', other ?? ''])];
}

/** A text that occurs in every message of a run to a group, and in no other. */
export function canaryOf(run: string, members: readonly string[]): string {
  return `canary-${run}-${[...members].sort().join('-')}`;
}

/** A topic of a run, used by no other run. */
export function topicOf(run: string, index: number): string {
  return `bench-${run}-${index}`;
}

async function send(http: HttpClient, plan: LoadPlan, index: number, intendedMs: number): Promise<LoadRecord> {
  const party = plan.parties[index % plan.parties.length];
  if (party === undefined) throw new Error('a load needs at least one party');
  const { url, body, meant } = requestOf(plan, party, index);
  const sentMs = performance.now();
  let record: LoadRecord = { ...meant, intendedMs, sentMs, acceptedMs: null, id: null, status: null };
  for (let attempt = 0; attempt <= (plan.maxRepeats ?? 0) && record.id === null; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, repeatDelayMs));
    const { status, id } = await attemptOnce(http, url, body);
    record = { ...record, status, id, acceptedMs: id === null ? null : performance.now() };
    // Other refusals are final: the same request would be refused again.
    if (status !== null && status < 500 && id === null) break;
  }
  if (record.id !== null) plan.onAccepted?.(record);
  return record;
}

/** The request of a number, and its meaning. */
function requestOf(plan: LoadPlan, party: LoadPlan['parties'][number], index: number) {
  const { run, workload = 'broadcast' } = plan;
  const kind = kindOf(workload, index, plan.parties.length);
  const topics = [topicOf(run, index % plan.topics)];
  const tag = `bench-${run}`;
  const names = plan.parties.map(({ name }) => name);
  const members = kind === 'broadcast' ? undefined : groupOf(names, index);
  const start = members === undefined ? '' : `"canary":"${canaryOf(run, members)}",`;
  const value = valueOf(run, index, { start, sizeBytes: plan.sizeBytes });
  const header = JSON.stringify({ tag, topics, ...(kind === 'unpinned' && { txtype: 'none' }) });
  const identityOf = (name: string) => plan.parties.find((each) => each.name === name)?.identity ?? name;
  const group = members?.map((name) => `{"identity":"${identityOf(name)}"}`).join(',');
  const addressed = group === undefined ? '' : `"group":{"members":[${group}]},`;
  const body = `{"header":${header},${addressed}"data":[{"value":${value}}],"idempotencyKey":"${run}-${index}"}`;
  const route = members === undefined ? 'broadcast' : 'private';
  const url = `${party.url}/api/v1/namespaces/${plan.namespace ?? 'default'}/messages/${route}`;
  const meant = { party: party.name, topics, tag, kind, valueHashes: [sha256(value)] };
  return { url, body, meant: members === undefined ? meant : { ...meant, members } };
}

interface Attempt {
  readonly status: number | null;
  readonly id: string | null;
}

async function attemptOnce(http: HttpClient, url: string, body: string): Promise<Attempt> {
  try {
    const { status, bytes } = await http.exchange(url, { method: 'POST', body });
    // The id is the first UUID of a 202, or the one that a 409 for a used idempotency key names.
    const text = bytes.toString('utf8');
    const isAccepted = status === 202 || (status === 409 && text.includes('FF10430'));
    return { status, id: isAccepted ? (uuidPattern.exec(text)?.[0] ?? null) : null };
  } catch {
    // No response: the fate of the request is unknown, and the record says so.
    return { status: null, id: null };
  }
}

/** A JSON text of exactly `sizeBytes` bytes, or slightly more if that is too short to be unique. */
function valueOf(run: string, index: number, { start, sizeBytes }: { start: string; sizeBytes: number }): string {
  const head = `{${start}"run":"${run}","index":${index},"fill":"`;
  return `${head}${'x'.repeat(Math.max(0, sizeBytes - head.length - 2))}"}`;
}
