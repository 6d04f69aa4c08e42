import {
  type BatchVerdict,
  type ExaminedPayload,
  type VerifiedGroup,
  verifyPayload,
} from '../../../domain/messages/verify.js';
import { networkLimits } from '../../../domain/network/limits.js';
import type { Reader } from '../../../ports/database.js';
import type { BatchRow, PinRow } from '../../../ports/tables/tables.js';
import type { Registry } from '../../state/identities/registry.js';
import type { Rulebook } from '../../state/rulebook.js';
import { compareNonces, type NonceGaps } from './nonces.js';

export interface JudgeParts {
  readonly registry: Registry;
  readonly namespaces: readonly string[];
  readonly nonceGaps: NonceGaps;
  readonly rulebook: Pick<Rulebook, 'find'>;
}

/** One more than a valid batch can have, so that an excess is noticed. */
const maxContexts = networkLimits.maxBatchMessages * networkLimits.maxTopics + 1;

/**
 * Judges a payload with the hash of a pinned batch (docs/protocol.md §8.3), of this node or another, by its pins and
 * the registry. A batch for a namespace that this node does not have is treated as void: spent without a record.
 */
export async function judgeBatch(
  reader: Reader,
  { registry, namespaces, nonceGaps, rulebook }: JudgeParts,
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
    maxExpectedPins: (await rulebook.find(reader))?.maxBatchExpectedPins,
  };
  const verdict = verifyPayload(examined, facts);
  if (verdict.status !== 'valid') return verdict;
  const { payload } = verdict;
  // Checked first: the nonces of a batch that is void for its namespace would be compared again with those of the next.
  if (!namespaces.includes(payload.namespace)) {
    return { status: 'void', reason: `this node has no namespace ${payload.namespace}` };
  }
  const fault =
    payload.type === 'private' ? await compareNonces(reader, payload, { pins, gaps: nonceGaps }) : undefined;
  return fault === undefined ? verdict : { status: 'void', reason: fault };
}

async function readPins(reader: Reader, { id, hash, signer }: BatchRow): Promise<readonly PinRow[]> {
  // No pin is spent before its batch was judged.
  return reader.rows('pins', { batch: id, batchHash: hash, signer, spent: false }, { limit: maxContexts, by: 'index' });
}
