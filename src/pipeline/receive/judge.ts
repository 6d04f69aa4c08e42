import { type BatchVerdict, type ExaminedPayload, type VerifiedGroup, verifyPayload } from '../../domain/verify.js';
import { networkLimits } from '../../domain/limits.js';
import { everyNamespace, type Reader } from '../../ports/database.js';
import type { BatchRow, PinRow } from '../../ports/tables.js';
import { equal } from '../../wire/query.js';
import type { Registry } from '../registry.js';
import { compareNonces } from './nonces.js';

export interface JudgeParts {
  readonly registry: Registry;
  /** Namespaces of this node. */
  readonly namespaces: readonly string[];
}

/** A pin has at most this many contexts in a valid batch; one more shows that there are too many. */
const maxContexts = networkLimits.maxBatchMessages * networkLimits.maxTopics + 1;

/**
 * Judges the payload that has the hash of a pinned batch (docs/protocol.md §8.3), of this node or another, with what
 * the log and the registry say about the pin. A message for a namespace that this node does not have is spent without a
 * record, as a void one is.
 */
export async function judgeBatch(
  reader: Reader,
  { registry, namespaces }: JudgeParts,
  batch: BatchRow,
  { examined, group }: { readonly examined: ExaminedPayload; readonly group?: VerifiedGroup | undefined },
): Promise<BatchVerdict> {
  const pins = await readPins(reader, batch);
  const facts = {
    id: batch.id,
    transactionId: batch.txid,
    signer: batch.signer,
    identity: batch.author,
    node: (await registry.nodeIdOf(reader, batch.author)) ?? '',
    contexts: pins.map(({ context }) => context),
    type: batch.type,
    group,
  };
  const verdict = verifyPayload(examined, facts);
  if (verdict.status !== 'valid') return verdict;
  const { payload } = verdict;
  const fault =
    (payload.type === 'private' ? await compareNonces(reader, payload, pins) : undefined) ??
    (namespaces.includes(payload.namespace) ? undefined : `this node has no namespace ${payload.namespace}`);
  return fault === undefined ? verdict : { status: 'void', reason: fault };
}

async function readPins(reader: Reader, { id, hash, signer }: BatchRow): Promise<readonly PinRow[]> {
  // None is spent before its batch is judged.
  const where = [equal('batch', id), equal('batchHash', hash), equal('signer', signer), equal('spent', false)];
  return reader.find('pins', { namespace: everyNamespace, where, sort: [{ field: 'index' }], limit: maxContexts });
}
