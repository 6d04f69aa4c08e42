import { assert } from '../../domain/invariant.js';
import { type Blockchain, type ChainCall, ChainError, type Receipt } from '../../ports/blockchain.js';
import type { Database } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Metrics } from '../../ports/metrics.js';
import type { NewRow, OperationRow } from '../../ports/tables.js';
import { isServiceError } from '../../wire/error.js';
import { equal } from '../../wire/query.js';
import type { Outcome, Settlement } from '../operations/attempt.js';
import { readCursor } from '../cursor.js';
import { refuseNetworkContract } from '../network-contract.js';
import { createKeyCalls, type KeyCalls } from './key-calls.js';
import type { WriteAhead } from './signing.js';
import { fillerOf, type StoredCall, storedCallOf } from './stored-call.js';

export interface ChainCallParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
}

/** The receipt of a successful call, deep enough in the chain. */
export type SuccessReceipt = Extract<Receipt, { status: 'success' }>;

/** The call of an operation, and its follow-up. */
export type ChainWork = {
  /** The same for the same operation, whenever it is asked. */
  readonly call: (operation: OperationRow) => Promise<ChainCall>;
  /** Writes the follow-up in the unit that records the failure: the chain reverted the call, or will never take it. */
  readonly failed?: (error: string) => Settlement['write'];
  /** Called each time that the key has too little to pay for the call, which waits until the key has more. */
  readonly unfunded?: (error: string) => Promise<void>;
  /** Explains the revert data of a contract, if this operation knows more than the default. */
  readonly reason?: (data: string) => string | undefined;
} & (
  | { /** What a success writes. */ readonly write: Settlement['write'] }
  /** Computes the outcome of a success. Called again after a restart. */
  | { readonly mined: (receipt: SuccessReceipt) => Promise<Outcome<Settlement>> }
);

/** Brings the call of an operation onto the chain with the operation's key. */
export type CallChain = (operation: OperationRow, work: ChainWork) => Promise<Outcome<Settlement>>;

export interface ChainCalls {
  readonly callChain: CallChain;
  /** Signs the call of an operation in the unit that makes it, before anybody sends it. */
  readonly signAhead: SignAhead;
}

/**
 * Signs a call with the next nonce of its key and stores that in the unit in which `write` stores its operation. False,
 * and nothing is stored, while the chain is away, or where `write` says that it is too late.
 */
export type SignAhead = (operation: NewRow<'operations'>, call: ChainCall, write: WriteAhead) => Promise<boolean>;

/**
 * Signs and sends calls for all operations of a node: they share the nonces of their keys, with as many calls of a key
 * on their way as its lanes allow. Nonce and signed bytes are stored before they are first sent, and a repeat sends the
 * same bytes, so no crash and no lost answer makes a second call or a gap (docs/architecture.md §9.2). Only what is
 * known to be impossible is signed anew: its nonce was used by another transaction, deep enough. The nonce of a call
 * that the chain will never take is used up by an empty call, so that those behind it go on.
 */
export function createChainCalls(parts: ChainCallParts): ChainCalls {
  const { database, blockchain, failpoint } = parts;
  const keys = new Map<string, KeyCalls>();
  let isOwnChain = false;

  function callsOf(key: string): KeyCalls {
    const calls = keys.get(key) ?? createKeyCalls({ ...parts, key });
    keys.set(key, calls);
    return calls;
  }

  async function signAhead(...[operation, call, write]: Parameters<SignAhead>): Promise<boolean> {
    try {
      if (!isOwnChain) await assertOwnChain(database, blockchain);
      isOwnChain = true;
      return await callsOf(operation.signer).signAhead(operation, call, write);
    } catch (error) {
      if (!(error instanceof ChainError) || error.reason === 'other_chain') throw error;
      return false;
    }
  }

  const callChain = async (operation: OperationRow, asked: ChainWork): Promise<Outcome<Settlement>> => {
    const work = { ...asked, call: (row: OperationRow) => allowedCall(blockchain, asked, row) };
    try {
      if (!isOwnChain) await assertOwnChain(database, blockchain);
      isOwnChain = true;
      const calls = callsOf(operation.signer);
      const stored = storedCallOf(operation) ?? (await calls.sign(operation, await work.call(operation)));
      await failpoint.reach('tx.after-raw-stored');
      const end = await bringOn({ calls, operation, work, failpoint }, stored);
      await failpoint.reach('tx.after-receipt');
      return await toOutcome(end, operation, work);
    } catch (error) {
      // A row of an earlier version may ask for what is refused today.
      if (isServiceError(error, 'network_contract'))
        return toFailure({ status: 'refused', reason: error.message }, operation, work);
      if (!(error instanceof ChainError) || error.reason === 'other_chain') throw error;
      if (error.reason === 'unfunded') await work.unfunded?.(error.message);
      // A refusal of a nonce that is about to be settled; nothing else comes here as refused.
      return { status: error.reason === 'refused' ? 'later' : 'unreachable', error: error.message };
    }
  };
  return { callChain, signAhead };
}

/** The call of an operation. @throws ServiceError network_contract */
async function allowedCall(
  { network }: Pick<Blockchain, 'network'>,
  work: ChainWork,
  operation: OperationRow,
): Promise<ChainCall> {
  const call = await work.call(operation);
  if (call.type === 'contract') refuseNetworkContract(network, call.to);
  return call;
}

interface Bringing {
  readonly calls: KeyCalls;
  readonly operation: OperationRow;
  readonly work: ChainWork;
  readonly failpoint: Failpoint;
}

/** The final outcome of a call. */
type End = Receipt | { readonly status: 'refused'; readonly reason: string };

/** Sends what is stored until its end is known. Rejects with ChainError while it is not. */
async function bringOn(bringing: Bringing, stored: StoredCall): Promise<End> {
  const { calls, operation, work, failpoint } = bringing;
  const filler = fillerOf(stored);
  try {
    const receipt = await calls.receiptOf(stored);
    return filler === undefined ? receipt : { status: 'refused', reason: filler.reason };
  } catch (error) {
    if (!(error instanceof ChainError) || error.reason !== 'refused') throw error;
    const isUsed = await calls.isUsed(stored.nonce);
    if (isUsed === 'perhaps') throw error;
    if (isUsed === 'no') {
      // The chain takes neither the call nor what is to use up its nonce: only from outside can that be mended.
      if (filler !== undefined) throw error;
      const filled = await calls.fill(operation, stored, error.message);
      await failpoint.reach('tx.after-filler-stored');
      return bringOn(bringing, filled);
    }
    // The call that was sent first may have been taken after all.
    const first = await calls.submitAlone(stored.raw);
    if (first !== undefined) return first;
    if (filler !== undefined) return { status: 'refused', reason: filler.reason };
    const again = await calls.signAnew(operation, stored, await work.call(operation));
    await failpoint.reach('tx.after-signed-anew');
    return bringOn(bringing, again);
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

async function toOutcome(end: End, operation: OperationRow, work: ChainWork): Promise<Outcome<Settlement>> {
  if (end.status !== 'success') return toFailure(end, operation, work);
  if ('mined' in work) return work.mined(end);
  const { transactionHash, block: blockNumber, transactionIndex } = end;
  const output = { transactionHash, blockNumber, transactionIndex };
  return { status: 'done', output: { output, write: work.write } };
}

function toFailure(
  end: Exclude<End, SuccessReceipt>,
  { namespace, id }: OperationRow,
  { failed, reason }: ChainWork,
): Outcome<Settlement> {
  const words = 'data' in end ? (reason?.(end.data) ?? end.reason) : end.reason;
  const error = end.status === 'reverted' ? `The chain reverted the call: ${words}` : words;
  return {
    status: 'failed',
    error,
    write: async (unit) => {
      // The stored output was only needed until the call had ended.
      const changed = await unit.update('operations', { namespace, where: [equal('id', id)] }, { output: null });
      assert(changed === 1, 'an operation that fails is there');
      return (await failed?.(error)(unit)) ?? [];
    },
  };
}
