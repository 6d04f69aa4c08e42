import { assert } from '../../../domain/invariant.js';
import { type Blockchain, type ChainCall, ChainError, type Receipt } from '../../../ports/blockchain.js';
import type { Database } from '../../../ports/database.js';
import type { Failpoint } from '../../../ports/failpoint.js';
import type { Metrics } from '../../../ports/metrics.js';
import type { NewRow, OperationRow } from '../../../ports/tables/tables.js';
import { isServiceError } from '../../../wire/errors/error.js';
import type { AttemptResult, Settlement } from '../../operations/attempt.js';
import { readCursor } from '../../state/chain/cursor.js';
import { refuseNetworkContract } from '../../state/contracts/network-contract.js';
import { createKeyCalls, type KeyCalls, NotYet } from './key-calls.js';
import { createResendOrder, notYet } from './resend-order.js';
import type { WriteAhead } from './signing.js';
import { gaveWayError, notItsTurn, type PinTurn } from '../../state/chain/pin-turn.js';
import { fillerOf, type StoredCall, storedCallOf } from '../../state/chain/stored-call.js';

export interface ChainCallParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
}

/** The receipt of a successful call with enough confirmations. */
export type SuccessReceipt = Extract<Receipt, { status: 'success' }>;

export type ChainWork = {
  /** Must return the same call for the same operation each time. */
  readonly call: (operation: OperationRow) => Promise<ChainCall>;
  /**
   * Writes the consequences of a call that was reverted or can never be mined, in the unit that records the failure.
   */
  readonly failed?: (error: string) => Settlement['write'];
  /** Called whenever the key cannot pay for the call; the call waits until it can. */
  readonly unfunded?: (error: string) => Promise<void>;
  /** The turn of the call among those that must be mined in order; default: `now`. */
  readonly turn?: (operation: OperationRow) => Promise<PinTurn>;
  /** Decodes the contract's revert data, if the operation knows its errors. */
  readonly reason?: (data: string) => string | undefined;
} & (
  | { /** Writes the consequences of a success. */ readonly write: Settlement['write'] }
  /** Returns the outcome of a success. Called again after a restart, and once more if the effect is absent. */
  | { readonly mined: (receipt: SuccessReceipt) => Promise<AttemptResult<Settlement> | Absent> }
);

/** A success whose block does not have the effect of the call. */
export interface Absent {
  readonly status: 'absent';
  readonly error: string;
}

/** Gets the call of an operation mined, signed with the operation's key. */
export type CallChain = (operation: OperationRow, work: ChainWork) => Promise<AttemptResult<Settlement>>;

export interface ChainCalls {
  readonly callChain: CallChain;
  readonly signAhead: SignAhead;
}

/**
 * Signs a call with the next nonce of its key and stores it in the unit in which `write` stores the operation. Returns
 * false, with nothing stored, if the chain is unreachable or `write` returns false.
 */
export type SignAhead = (operation: NewRow<'operations'>, call: ChainCall, write: WriteAhead) => Promise<boolean>;

/**
 * Signs and sends the calls of all operations of a node. Operations of one key share its nonces; its lanes limit how
 * many are in flight. Nonce and signed bytes are stored before they are sent, and a retry sends the same bytes, so no
 * crash and no lost answer causes a second call or a gap (docs/architecture.md §9.2). A call is signed again only if
 * its nonce is known to be used by another transaction. An empty call uses the nonce of a call that can never be mined,
 * so that later calls continue.
 */
export function createChainCalls(parts: ChainCallParts): ChainCalls {
  const { database, blockchain, failpoint } = parts;
  const keys = new Map<string, KeyCalls>();
  const isTimely = createResendOrder(parts);
  const absences = new Map<string, string>();
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

  const callChain = async (operation: OperationRow, asked: ChainWork): Promise<AttemptResult<Settlement>> => {
    const work = { ...asked, call: (row: OperationRow) => allowedCall(blockchain, asked, row) };
    try {
      if (!isOwnChain) await assertOwnChain(database, blockchain);
      isOwnChain = true;
      const calls = callsOf(operation.signer);
      const known = storedCallOf(operation);
      const turn = known?.filler === undefined ? await work.turn?.(operation) : undefined;
      if (turn === 'later') return { status: 'later', error: notItsTurn };
      const stored = known ?? (await calls.sign(operation, await work.call(operation)));
      await failpoint.reach('tx.after-raw-stored');
      if (!(await isTimely(operation, work, stored))) return { status: 'later', error: notYet };
      calls.clear(stored);
      const sent = turn === 'passed' ? await calls.fill(operation, stored, gaveWayError) : stored;
      const end = await bringOn({ calls, operation, work, failpoint }, sent);
      await failpoint.reach('tx.after-receipt');
      if (end.status !== 'success') return toFailure(end, operation, work);
      const outcome = await toOutcome(end, work);
      if (outcome.status !== 'absent') {
        absences.delete(operation.id);
        return outcome;
      }
      const { error } = outcome;
      // The block of the receipt may have been replaced since, so a second receipt must name the same block.
      const place = `${end.transactionHash} ${end.block}`;
      if (absences.get(operation.id) !== place) {
        absences.set(operation.id, place);
        return { status: 'later', error };
      }
      absences.delete(operation.id);
      return toFailure({ status: 'refused', reason: error }, operation, work);
    } catch (error) {
      if (error instanceof NotYet) return { status: 'later', error: notYet };
      // A row of an earlier version may contain a call that is refused now.
      if (isServiceError(error, 'network_contract'))
        return toFailure({ status: 'refused', reason: error.message }, operation, work);
      if (!(error instanceof ChainError) || error.reason === 'other_chain') throw error;
      if (error.reason === 'unfunded') await work.unfunded?.(error.message);
      // `refused`: a nonce that is being used; all other refusals are handled earlier.
      const isForThisCall = error.reason === 'refused' || error.reason === 'error_response';
      return { status: isForThisCall ? 'later' : 'unreachable', error: error.message };
    }
  };
  return { callChain, signAhead };
}

/** @throws ServiceError network_contract */
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

type End = Receipt | { readonly status: 'refused'; readonly reason: string };

/** Sends a stored call until its outcome is known. Rejects with ChainError while it is unknown. */
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
      // The chain accepts neither the call nor the empty one; this node cannot repair that.
      if (filler !== undefined) throw error;
      const filled = await calls.fill(operation, stored, error.message);
      await failpoint.reach('tx.after-filler-stored');
      return bringOn(bringing, filled);
    }
    // The call that was sent first may have been mined after all.
    const first = await calls.submitAlone(stored.raw);
    if (first !== undefined) return first;
    if (filler !== undefined) return { status: 'refused', reason: filler.reason };
    const again = await calls.signAnew(operation, stored, await work.call(operation));
    await failpoint.reach('tx.after-signed-anew');
    return bringOn(bringing, again);
  }
}

/**
 * Checked before the first call of a run: on another chain a call would get a wrong nonce or fail permanently. Treated
 * as unreachable here; the chain receiver stops the node.
 */
async function assertOwnChain(database: Database, blockchain: Blockchain): Promise<void> {
  const { genesisHash } = await blockchain.status();
  const cursor = await readCursor(database);
  if (cursor?.genesisHash !== genesisHash) {
    throw new ChainError('unreachable', 'The chain that answers is not the one that this node has read.');
  }
}

async function toOutcome(end: SuccessReceipt, work: ChainWork): Promise<AttemptResult<Settlement> | Absent> {
  if ('mined' in work) return work.mined(end);
  const { transactionHash, block: blockNumber, transactionIndex } = end;
  const output = { transactionHash, blockNumber, transactionIndex };
  return { status: 'done', output: { output, write: work.write } };
}

function toFailure(
  end: Exclude<End, SuccessReceipt>,
  { namespace, id }: OperationRow,
  { failed, reason }: ChainWork,
): AttemptResult<Settlement> {
  const explanation = 'data' in end ? (reason?.(end.data) ?? end.reason) : end.reason;
  const error = end.status === 'reverted' ? `The chain reverted the call: ${explanation}` : explanation;
  return {
    status: 'failed',
    error,
    write: async (unit) => {
      // The filler in the output is only needed while the call is open.
      const changed = await unit.update('operations', { namespace, id }, { output: null });
      assert(changed === 1, 'an operation that fails is there');
      return (await failed?.(error)(unit)) ?? [];
    },
  };
}
