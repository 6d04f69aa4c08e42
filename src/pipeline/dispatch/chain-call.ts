import { assert } from '../../domain/invariant.js';
import { type Blockchain, type ChainCall, ChainError, type Receipt } from '../../ports/blockchain.js';
import { type Database, everyNamespace } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Metrics } from '../../ports/metrics.js';
import type { OperationRow } from '../../ports/tables.js';
import { absent, among, equal } from '../../wire/query.js';
import type { Outcome, Settlement } from '../attempt.js';
import { readCursor } from '../cursor.js';

export interface ChainCallParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
}

/** What an operation calls, and what its success writes. */
export interface ChainWork {
  readonly call: (operation: OperationRow) => Promise<ChainCall>;
  readonly write: Settlement['write'];
}

/** Brings the call of an operation onto the chain with the operation's key. */
export type CallChain = (operation: OperationRow, work: ChainWork) => Promise<Outcome<Settlement>>;

/**
 * Signs and sends calls for all operations of a node: they share the nonces of their keys. Nonce and signed bytes are
 * stored before they are first sent, and a repeat sends the same bytes, so no crash and no lost answer makes a second
 * call or a gap (assurance B19, B20).
 */
export function createChainCalls({ database, blockchain, metrics, failpoint }: ChainCallParts): CallChain {
  const nextNonce = createNonces(database, blockchain);
  let isOwnChain = false;
  return async (operation, work) => {
    try {
      if (!isOwnChain) await assertOwnChain(database, blockchain);
      isOwnChain = true;
      const raw = operation.raw ?? (await signAndStore(operation, await work.call(operation)));
      await failpoint.reach('tx.after-raw-stored');
      const receipt = await blockchain.submit(raw);
      await failpoint.reach('tx.after-receipt');
      metrics.count('ff_blockchain_transactions_total');
      return toOutcome(receipt, work);
    } catch (error) {
      if (!(error instanceof ChainError) || error.reason === 'other_chain') throw error;
      // A refusal, such as a key without funds, can be mended from outside; the bytes stay the same.
      return { status: error.reason === 'refused' ? 'later' : 'unreachable', error: error.message };
    }
  };

  async function signAndStore(operation: OperationRow, call: ChainCall): Promise<string> {
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
 * Before the first call of a life: another chain would give it a wrong nonce, or revert it for good. To stop the node
 * is the business of whoever reads the chain; for this one its chain is not there.
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

function toOutcome(receipt: Receipt, { write }: ChainWork): Outcome<Settlement> {
  if (receipt.status === 'reverted')
    return { status: 'failed', error: `The chain reverted the call: ${receipt.reason}` };
  return {
    status: 'done',
    output: { output: { transactionHash: receipt.transactionHash, blockNumber: receipt.block }, write },
  };
}
