import type { Endpoint } from '../endpoint.js';
import { sha256 } from '../check/facts/facts.js';
import type { HttpClient } from '../http.js';

/** A kind of message: to all parties, or to a group of two, pinned or unpinned. */
export type MessageKind = 'broadcast' | 'private' | 'unpinned';
/** The kinds of messages to send; `mixed`: each party cycles through all kinds. */
export type Workload = MessageKind | 'mixed';

const kinds: readonly MessageKind[] = ['broadcast', 'private', 'unpinned'];

/** The kind of the message with this index. */
export function kindOf(workload: Workload, index: number, parties: number): MessageKind {
  return workload === 'mixed' ? (kinds[Math.floor(index / parties) % kinds.length] ?? 'broadcast') : workload;
}

/** A message of the load, or another call, with its response. Times are on the clock of `performance.now()`. */
export interface LoadRecord {
  readonly party: string;
  readonly intendedMs: number;
  readonly sentMs: number;
  readonly acceptedMs: number | null;
  readonly id: string | null;
  /** The status of the last response; null if there was none. */
  readonly status: number | null;
  readonly topics: readonly string[];
  readonly tag: string;
  /** Absent for calls other than messages. */
  readonly kind?: MessageKind;
  readonly valueHashes: readonly string[];
  /** The names of the parties of its group; absent = all. */
  readonly members?: readonly string[];
}

export interface LoadPlan {
  /** Default: broadcasts. */
  readonly workload?: Workload;
  /** A unique id of the run, which is part of topics, tags and idempotency keys. */
  readonly run: string;
  readonly parties: readonly Endpoint[];
  readonly ratePerSecond: number;
  readonly durationMs: number;
  /** The size of each value. */
  readonly sizeBytes: number;
  /** Number of topics, which messages use in turn. */
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
 * Resolves with the records in the order of the schedule, when every message has its response.
 */
export function offerLoad(http: HttpClient, plan: LoadPlan): Promise<LoadRecord[]> {
  return openLoop(plan, (index, dueMs) => send(http, plan, index, dueMs));
}

/** Generates an open-loop load of any kind: calls `send` with each index at its scheduled time. */
export async function openLoop<Record>(
  plan: Pick<LoadPlan, 'ratePerSecond' | 'durationMs' | 'signal'>,
  send: (index: number, dueMs: number) => Promise<Record>,
): Promise<Record[]> {
  const total = Math.floor((plan.ratePerSecond * plan.durationMs) / 1_000);
  const startMs = performance.now();
  const inFlight: Promise<Record>[] = [];
  for (let index = 0; index < total && plan.signal?.aborted !== true;) {
    const dueMs = startMs + (index * 1_000) / plan.ratePerSecond;
    if (dueMs <= performance.now()) {
      inFlight.push(send(index, dueMs));
      index++;
    } else {
      await new Promise((resolve) => setTimeout(resolve, tickMs));
    }
  }
  return Promise.all(inFlight);
}

/** The group of the message with this index: its sender and the next party. */
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
  const { url, body, sent } = requestOf(plan, party, index);
  const sentMs = performance.now();
  let record: LoadRecord = { ...sent, intendedMs, sentMs, acceptedMs: null, id: null, status: null };
  for (let attempt = 0; attempt <= (plan.maxRepeats ?? 0) && record.id === null; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, repeatDelayMs));
    const { status, id } = await attemptOnce(http, url, body);
    record = { ...record, status, id, acceptedMs: id === null ? null : performance.now() };
    // A refusal is final: the same request would be refused again.
    if (status !== null && status < 500 && id === null) break;
  }
  if (record.id !== null) plan.onAccepted?.(record);
  return record;
}

/** The request for the message with this index, and the message's part of the record. */
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
  const sent = { party: party.name, topics, tag, kind, valueHashes: [sha256(value)] };
  return { url, body, sent: members === undefined ? sent : { ...sent, members } };
}

interface Attempt {
  readonly status: number | null;
  readonly id: string | null;
}

async function attemptOnce(http: HttpClient, url: string, body: string): Promise<Attempt> {
  try {
    const { status, bytes } = await http.exchange(url, { method: 'POST', body });
    // The id is the first UUID in a 202, or in a 409 for a used idempotency key.
    const text = bytes.toString('utf8');
    const isAccepted = status === 202 || (status === 409 && text.includes('FF10430'));
    return { status, id: isAccepted ? (uuidPattern.exec(text)?.[0] ?? null) : null };
  } catch {
    // Without a response, it is unknown whether the request was accepted.
    return { status: null, id: null };
  }
}

/** A unique JSON text of `sizeBytes` bytes, or more if that is too short. */
function valueOf(run: string, index: number, { start, sizeBytes }: { start: string; sizeBytes: number }): string {
  const head = `{${start}"run":"${run}","index":${index},"fill":"`;
  return `${head}${'x'.repeat(Math.max(0, sizeBytes - head.length - 2))}"}`;
}
