import type { NewRow } from '../../src/ports/tables/tables.js';
import { alice, uuid } from './fixtures.js';

const created = '2026-01-15T10:00:00.000Z';

/** A held broadcast batch of alice without messages; its ids and hash are derived from the number. */
export function aBatchRow(number: number, changes: Partial<NewRow<'batches'>> = {}): NewRow<'batches'> {
  return {
    namespace: 'default',
    id: uuid(1_000 + number),
    hash: number.toString(16).padStart(64, '0'),
    signer: alice.key,
    author: alice.did,
    node: alice.node,
    type: 'broadcast',
    group: null,
    txid: uuid(2_000 + number),
    created,
    payloadRef: 'Qm',
    manifest: [],
    state: 'held',
    reason: null,
    confirmed: created,
    ...changes,
  };
}

/** An unspent pin of a batch in a context. */
export function aPinRow(batch: NewRow<'batches'>, context: string, index: number, block: number): NewRow<'pins'> {
  return {
    namespace: 'svc_system',
    context,
    masked: false,
    batch: batch.id,
    batchHash: batch.hash,
    signer: batch.signer,
    identity: batch.author,
    index,
    spent: false,
    block,
    created,
  };
}
