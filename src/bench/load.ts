import { sha256 } from './check/facts.js';
import type { HttpClient } from './http.js';

/** One message of the load: what was meant, and what was answered. Times are those of `performance.now()`. */
export interface LoadRecord {
  readonly party: string;
  readonly intendedMs: number;
  readonly sentMs: number;
  readonly acceptedMs: number | null;
  readonly id: string | null;
  /** Status of the last answer; null when none came. */
  readonly status: number | null;
  readonly topics: readonly string[];
  readonly tag: string;
  readonly valueHashes: readonly string[];
}

export interface LoadPlan {
  /** Unique per run; names topics, tag and idempotency keys, so that no message of any run equals another. */
  readonly run: string;
  readonly parties: readonly { readonly name: string; readonly url: string }[];
  readonly ratePerSecond: number;
  readonly durationMs: number;
  /** Bytes of each value. */
  readonly sizeBytes: number;
  /** How many topics the messages take turns on. */
  readonly topics: number;
  readonly namespace?: string;
  readonly signal?: AbortSignal | undefined;
  /** How often a send is repeated, with its idempotency key, when no answer came. Default: never. */
  readonly maxRepeats?: number;
  readonly onAccepted?: (record: LoadRecord) => void;
}

const tickMs = 1;
const repeatDelayMs = 100;
const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/**
 * Offers a load that waits for nobody: each message has its time in a schedule, and is sent then whether or not earlier
 * ones were answered. Resolves when the last one has its answer, in the order of the schedule.
 */
export async function offerLoad(http: HttpClient, plan: LoadPlan): Promise<LoadRecord[]> {
  const total = Math.floor((plan.ratePerSecond * plan.durationMs) / 1_000);
  const startMs = performance.now();
  const under: Promise<LoadRecord>[] = [];
  for (let index = 0; index < total && plan.signal?.aborted !== true;) {
    const dueMs = startMs + (index * 1_000) / plan.ratePerSecond;
    if (dueMs <= performance.now()) {
      under.push(send(http, plan, index, dueMs));
      index++;
    } else {
      await new Promise((resolve) => setTimeout(resolve, tickMs));
    }
  }
  return Promise.all(under);
}

/** The topics of a run, each used by no other. */
export function topicOf(run: string, index: number): string {
  return `bench-${run}-${index}`;
}

async function send(http: HttpClient, plan: LoadPlan, index: number, intendedMs: number): Promise<LoadRecord> {
  const party = plan.parties[index % plan.parties.length];
  if (party === undefined) throw new Error('a load needs at least one party');
  const topics = [topicOf(plan.run, index % plan.topics)];
  const tag = `bench-${plan.run}`;
  const value = valueOf(plan.run, index, plan.sizeBytes);
  const key = `${plan.run}-${index}`;
  const header = JSON.stringify({ tag, topics });
  const body = `{"header":${header},"data":[{"value":${value}}],"idempotencyKey":"${key}"}`;
  const url = `${party.url}/api/v1/namespaces/${plan.namespace ?? 'default'}/messages/broadcast`;
  const sentMs = performance.now();
  const meant = { party: party.name, intendedMs, sentMs, topics, tag, valueHashes: [sha256(value)] };
  let record: LoadRecord = { ...meant, acceptedMs: null, id: null, status: null };
  for (let attempt = 0; attempt <= (plan.maxRepeats ?? 0) && record.id === null; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, repeatDelayMs));
    const { status, id } = await attemptOnce(http, url, body);
    record = { ...meant, status, id, acceptedMs: id === null ? null : performance.now() };
    // Other refusals are final: the same request would be refused again.
    if (status !== null && status < 500 && id === null) break;
  }
  if (record.id !== null) plan.onAccepted?.(record);
  return record;
}

interface Attempt {
  readonly status: number | null;
  readonly id: string | null;
}

async function attemptOnce(http: HttpClient, url: string, body: string): Promise<Attempt> {
  try {
    const { status, bytes } = await http.exchange(url, { method: 'POST', body });
    // The id is the first UUID of a 202, and the one that a 409 of a used idempotency key names.
    const text = bytes.toString('utf8');
    const isAccepted = status === 202 || (status === 409 && text.includes('FF10430'));
    return { status, id: isAccepted ? (uuidPattern.exec(text)?.[0] ?? null) : null };
  } catch {
    // No answer: what became of the request is unknown, and that is what the record says.
    return { status: null, id: null };
  }
}

/** A JSON text of exactly `sizeBytes` bytes, or a little more when so few cannot be unique. */
function valueOf(run: string, index: number, sizeBytes: number): string {
  const start = `{"run":"${run}","index":${index},"fill":"`;
  return `${start}${'x'.repeat(Math.max(0, sizeBytes - start.length - 2))}"}`;
}
