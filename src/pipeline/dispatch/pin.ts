import { assert } from '../../domain/invariant.js';
import { type Blockchain, ChainError, type PinCall, type Receipt } from '../../ports/blockchain.js';
import { type Database, everyNamespace, type Unit } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Metrics } from '../../ports/metrics.js';
import type { BatchRow, OperationRow } from '../../ports/tables.js';
import { absent, among, equal, oldestFirst } from '../../wire/query.js';
import type { Bell } from '../bus.js';
import { readCursor } from '../cursor.js';
import { findExact, referenceKey } from '../exact.js';
import type { Outcome, RunOperation, Settlement } from '../attempt.js';

export interface PinParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
}

/**
 * Writes the contexts of a batch to the chain. Nonce and signed bytes are stored before they are first sent, and a
 * repeat sends the same bytes, so no crash and no lost answer makes a second pin or a gap (assurance B19, B20).
 */
export function createPinBatch({ database, blockchain, metrics, failpoint }: PinParts): RunOperation {
  const nextNonce = createNonces(database, blockchain);
  let isOwnChain = false;
  return async (operation) => {
    try {
      if (!isOwnChain) await assertOwnChain(database, blockchain);
      isOwnChain = true;
      const raw = operation.raw ?? (await signAndStore(operation));
      await failpoint.reach('tx.after-raw-stored');
      const receipt = await blockchain.submit(raw);
      await failpoint.reach('tx.after-receipt');
      metrics.count('ff_blockchain_transactions_total');
      return toOutcome(operation, receipt);
    } catch (error) {
      if (!(error instanceof ChainError) || error.reason === 'other_chain') throw error;
      // A refusal, such as a key without funds, can be mended from outside; the bytes stay the same.
      return { status: error.reason === 'refused' ? 'later' : 'unreachable', error: error.message };
    }
  };

  async function signAndStore(operation: OperationRow): Promise<string> {
    const call = await pinCall(database, operation);
    const nonce = await nextNonce.peek(operation.signer);
    const { raw, transactionHash } = await blockchain.sign(operation.signer, nonce, call);
    await database.transaction(async (unit) => {
      const where = [equal('id', operation.id), absent('raw')];
      const changed = await unit.update('operations', { namespace: operation.namespace, where }, { nonce, raw });
      assert(changed === 1, 'a call is signed once');
      const transaction = { namespace: operation.namespace, where: [equal('id', operation.tx)] };
      await unit.update('transactions', transaction, { blockchainIds: [transactionHash] });
    });
    nextNonce.take(operation.signer, nonce);
    return raw;
  }
}

/**
 * Before the first pin of a life: another chain would give it a wrong nonce, or revert it for good. To stop the node is
 * the business of whoever reads the chain; for this one its chain is not there.
 */
async function assertOwnChain(database: Database, blockchain: Blockchain): Promise<void> {
  const { genesisHash } = await blockchain.status();
  const cursor = await readCursor(database);
  if (cursor?.genesisHash !== genesisHash) {
    throw new ChainError('unreachable', 'The chain that answers is another than the one that this node has read.');
  }
}

/**
 * The next nonce of each key: what the chain has mined, and behind that what is signed here and has not ended. What has
 * ended is mined, so its nonces are in the chain's count: no row can make a gap.
 */
function createNonces(database: Database, blockchain: Blockchain) {
  const next = new Map<string, number>();
  return {
    async peek(key: string): Promise<number> {
      const known = next.get(key);
      if (known !== undefined) return known;
      const isOpen = among('status', ['Initialized', 'Pending']);
      const where = [equal('signer', key), isOpen, { field: 'nonce', is: 'notNull' } as const];
      const sort = [{ field: 'nonce', descending: true }];
      const rows = await database.find('operations', { namespace: everyNamespace, where, sort, limit: 1 });
      return Math.max((rows[0]?.nonce ?? -1) + 1, await blockchain.count(key));
    },
    take(key: string, nonce: number): void {
      next.set(key, nonce + 1);
    },
  };
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

function toOutcome(operation: OperationRow, receipt: Receipt): Outcome<Settlement> {
  if (receipt.status === 'reverted')
    return { status: 'failed', error: `The chain reverted the pin: ${receipt.reason}` };
  return {
    status: 'done',
    output: {
      output: { transactionHash: receipt.transactionHash, blockNumber: receipt.block },
      write: (unit) => markPinned(unit, operation),
    },
  };
}

/** The next batch of the key may be sealed. If the chain's own event came first, the batch is further already. */
async function markPinned(unit: Unit, { namespace, batch, batchHash, signer }: OperationRow): Promise<readonly Bell[]> {
  const where = [equal('id', batch), equal('hash', batchHash), equal('signer', signer), equal('state', 'sealed')];
  await unit.update('batches', { namespace, where }, { state: 'pinned' });
  return ['messages'];
}
