import { assert } from '../../domain/invariant.js';
import type { PinCall } from '../../ports/blockchain.js';
import { type Database, everyNamespace, type Unit } from '../../ports/database.js';
import type { BatchRow, OperationRow } from '../../ports/tables.js';
import { equal, oldestFirst } from '../../wire/query.js';
import type { RunOperation } from '../operations/attempt.js';
import type { Bell } from '../bus.js';
import { findExact, referenceKey } from '../exact.js';
import type { CallChain } from './chain-call.js';
import { type FailureParts, recordMessageFailure } from './failure.js';

export interface PinParts extends FailureParts {
  readonly database: Database;
  readonly callChain: CallChain;
}

/** Writes the contexts of a batch to the chain. */
export function createPinBatch(parts: PinParts): RunOperation {
  const { database, callChain } = parts;
  return (operation) =>
    callChain(operation, {
      call: () => pinCall(database, operation),
      write: (unit) => markPinned(unit, operation),
      failed: () => (unit) => recordMessageFailure(unit, operation, parts),
    });
}

async function pinCall(database: Database, operation: OperationRow): Promise<PinCall> {
  const where = [equal('id', operation.batch), equal('hash', operation.batchHash), equal('signer', operation.signer)];
  const [batch] = await database.find('batches', { namespace: everyNamespace, where, sort: oldestFirst, limit: 1 });
  assert(batch?.manifest != null && batch.payloadRef !== null, 'a batch is pinned after it is sealed and stored');
  return {
    type: 'pin_batch',
    transactionId: batch.txid,
    batchId: batch.id,
    batchHash: batch.hash,
    payloadRef: batch.payloadRef,
    contexts: await contextsOf(database, batch),
  };
}

/** The pins of the messages of a batch, in the order of its manifest. */
async function contextsOf(database: Database, { manifest }: BatchRow): Promise<string[]> {
  const entries = manifest ?? [];
  const messages = await findExact(database, 'messages', { namespace: everyNamespace }, entries);
  const contexts = entries.flatMap((entry) => messages.get(referenceKey(entry))?.pins ?? []);
  const expected = entries.reduce((sum, { topics }) => sum + topics, 0);
  assert(contexts.length === expected, 'the messages of a sealed batch are here');
  return contexts;
}

/** The next batch of the key may be sealed. If the chain's own event came first, the batch is further already. */
async function markPinned(unit: Unit, { namespace, batch, batchHash, signer }: OperationRow): Promise<readonly Bell[]> {
  const where = [equal('id', batch), equal('hash', batchHash), equal('signer', signer), equal('state', 'sealed')];
  await unit.update('batches', { namespace, where }, { state: 'pinned' });
  return ['messages'];
}
