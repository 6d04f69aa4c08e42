import type { ProfileRules } from '../../../domain/network/profile.js';
import { sha256 } from '../../../domain/hash.js';
import { assert } from '../../../domain/invariant.js';
import { networkLimits } from '../../../domain/network/limits.js';
import type { BatchVerdict } from '../../../domain/messages/verify.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database } from '../../../ports/database.js';
import type { Failpoint } from '../../../ports/failpoint.js';
import { type Judge, JudgeError } from '../../../ports/judge.js';
import type { Log } from '../../../ports/log.js';
import type { Random } from '../../../ports/random.js';
import { type SharedStore, StoreError } from '../../../ports/shared-store.js';
import type { BatchRow } from '../../../ports/tables/tables.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { decode } from '../../../wire/json/json.js';
import type { Bell } from '../../bus.js';
import type { AfterCommit, Decider } from '../../decider.js';
import type { AttemptResult, RunOperation, Settlement } from '../../operations/attempt.js';
import type { Registry } from '../../state/identities/registry.js';
import type { Rulebook } from '../../state/rulebook.js';
import type { Throttle } from '../../throttle.js';
import { receiveBatch } from './batch.js';
import { rowsOfBatch, storeAhead } from './batch-rows.js';
import { judgeBatch } from './judge.js';
import type { NonceGaps } from './nonces.js';

export interface FetchParts {
  readonly database: Database;
  readonly sharedStore: SharedStore;
  readonly registry: Registry;
  readonly nonceGaps: NonceGaps;
  readonly rulebook: Pick<Rulebook, 'find'>;
  readonly judge: Judge;
  readonly namespaces: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly profileRules: ProfileRules;
  readonly log: Log;
  readonly failpoint: Failpoint;
  readonly decider: Decider;
  readonly throttle: Pick<Throttle, 'run'>;
}

/**
 * Downloads the payload of a wanted batch. Bytes with another hash are dropped and the download is retried without end
 * (docs/protocol.md §8.2). Bytes with the pinned hash are judged, and the verdict is final.
 */
export function createFetchBatch(parts: FetchParts): RunOperation {
  const { database, sharedStore, clock, random, profileRules, log, failpoint, decider } = parts;
  return async (operation, signal) => {
    const batch = await findBatch(database, operation);
    const fetched = await get(sharedStore, batch.payloadRef ?? '', signal);
    if (fetched instanceof StoreError) return toOutcome(fetched);
    if (sha256(fetched) !== batch.hash) {
      log.warn('The store returned bytes that are not the batch; trying again later', { batch: batch.id });
      return { status: 'unavailable', error: 'the bytes do not have the pinned hash' };
    }
    await failpoint.reach('inbox.after-bytes');
    const verdict = await judge(parts, batch, fetched, signal);
    if (verdict instanceof JudgeError) {
      log.warn('A batch could not be judged and will be retried', { batch: batch.id, error: verdict.message });
      return { status: 'later', error: `the payload was not judged: ${verdict.message}` };
    }
    if (verdict.status === 'unknown_version') {
      log.warn('A batch has a version that this program does not know; please upgrade', { batch: batch.id });
      return { status: 'later', error: `payload version ${verdict.version} is newer than this program` };
    }
    if (verdict.status === 'void') log.warn('A batch is void', { batch: batch.id, reason: verdict.reason });
    const now = clock.now();
    const rows = verdict.status === 'valid' ? await storeAhead(parts, rowsOfBatch(verdict.payload, batch)) : undefined;
    const isBulk = rows !== undefined && rows.messages.length > maxMessages;
    let conclude: AfterCommit | undefined;
    const write: Settlement['write'] = async (unit) => {
      const bells = await receiveBatch(unit, { batch, verdict, rows, now, random, profileRules });
      // The loop decides a large batch in parts.
      if (isBulk) return bells;
      conclude = await decider.decideFew(unit);
      return bells.filter((bell) => bell !== 'due');
    };
    const after = async (): Promise<readonly Bell[]> => (await conclude?.()) ?? [];
    const output = { sizeBytes: fetched.byteLength };
    const moved = verdict.status === 'valid' && { namespace: verdict.payload.namespace };
    return { status: 'done', output: { output, write, after, isBulk, ...moved } };
  };
}

async function findBatch(database: Database, subject: Subject): Promise<BatchRow> {
  const batch = await database.first('batches', { id: subject.batch, hash: subject.batchHash, signer: subject.signer });
  assert(batch !== undefined, 'a download belongs to a pinned batch');
  return batch;
}

interface Subject {
  readonly batch: string;
  readonly batchHash: string;
  readonly signer: string;
}

async function get(store: SharedStore, reference: string, signal: AbortSignal): Promise<Uint8Array | StoreError> {
  try {
    return await store.get(reference, { maxBytes: networkLimits.maxPayloadBytes, signal });
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

/** Every failure is retried: an absent or oversized object, or the store itself, may be replaced. */
function toOutcome(error: StoreError): AttemptResult<never> {
  return { status: error.reason === 'unreachable' ? 'unreachable' : 'unavailable', error: error.message };
}

/** A batch with more messages is written as bulk, after other units. */
const maxMessages = 50;

/** Longer than the largest payload takes on any machine. */
const limitMs = 120_000;

/**
 * Reads a large payload in a thread. Attempts are not counted: the payload's length limits the cost, and a thread that
 * runs out of memory does not end the node.
 */
async function judge(
  { database, judge: judges, ...parts }: FetchParts,
  batch: BatchRow,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<BatchVerdict | JudgeError> {
  const text = textOf(bytes);
  if (text === undefined) return { status: 'void', reason: 'the payload is not UTF-8' };
  try {
    const examined =
      judges.now('payload', text) ?? (await judges.ask('payload', text, { lane: 'downloads', limitMs, signal }));
    return await judgeBatch(database, parts, batch, { examined });
  } catch (error) {
    if (error instanceof JudgeError) return error;
    throw error;
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decode(bytes);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
