import { assert } from '../../../domain/invariant.js';
import { type ChainCall, ChainError, type Receipt } from '../../../ports/blockchain.js';
import type { Metrics } from '../../../ports/metrics.js';
import type { OperationRow } from '../../../ports/tables/tables.js';
import { createSigning, type Signing, type SigningParts } from './signing.js';
import { bytesOf, emptyCall, fillerOutput, type StoredCall } from '../../state/chain/stored-call.js';

export interface KeyCallParts extends SigningParts {
  readonly metrics: Metrics;
}

/** A call that is open again after a reorganisation must wait for calls that were mined before it. */
export class NotYet extends Error {}

/** The calls of one key: their nonces, and the calls in flight. */
export interface KeyCalls {
  /** Signs the first call of an operation and stores it before it is sent. */
  sign(operation: OperationRow, call: ChainCall): Promise<StoredCall>;
  /** Allows sending a call that was mined before and is open again; until then it and those with higher nonces wait. */
  clear(stored: StoredCall): void;
  /** Signs the call of an operation that `write` stores; returns false if `write` does. */
  readonly signAhead: Signing['signAhead'];
  /** Signs a call again whose nonce is known to be used by another transaction. */
  signAnew(operation: OperationRow, stored: StoredCall, call: ChainCall): Promise<StoredCall>;
  /** Stores an empty call with the nonce of a call that can never be mined. */
  fill(operation: OperationRow, stored: StoredCall, reason: string): Promise<StoredCall>;
  /**
   * Returns the receipt of the call that uses the nonce. Also sends all stored calls with lower nonces, because they
   * are mined in order. Rejects with ChainError, and with NotYet if the call or one before it must wait.
   */
  receiptOf(stored: StoredCall): Promise<Receipt>;
  /** Returns the receipt of exactly these bytes; undefined if they can never be mined. */
  submitAlone(raw: string): Promise<Receipt | undefined>;
  /** Whether a nonce is used on the chain; `perhaps`: without enough confirmations. */
  isUsed(nonce: number): Promise<'yes' | 'no' | 'perhaps'>;
}

/** Creates the calls of a key. Open calls of earlier runs are loaded with the first one. */
export function createKeyCalls(parts: KeyCallParts): KeyCalls {
  const { key, database, blockchain } = parts;
  const signing = createSigning(parts);
  const { open } = signing;
  const submit = createSubmit(parts, open);
  const cleared = new Set<string>();

  /** Throws NotYet for a call that may not be sent again yet. */
  function assertTurn({ operation, after }: StoredCall): void {
    if (after !== undefined && !cleared.has(operation)) throw new NotYet();
  }

  return {
    sign: (operation, call) => signing.sign(operation, call),
    clear({ operation, after }) {
      // Only a call that a reorganisation has removed must be cleared; an entry for any other would stay here forever.
      if (after !== undefined) cleared.add(operation);
    },
    signAhead: signing.signAhead,
    signAnew: (operation, stored, call) => signing.sign(operation, call, stored),

    async fill(operation, stored, reason) {
      const { raw } = await blockchain.sign(key, stored.nonce, emptyCall(key));
      const filled = { ...stored, filler: { raw, reason } };
      await database.transaction(async (unit) => {
        const changes = { output: fillerOutput(filled.filler) };
        const { namespace, id } = operation;
        const changed = await unit.update(
          'operations',
          { namespace, id, transactionHash: stored.transactionHash },
          changes,
        );
        assert(changed === 1, 'a nonce is used up for the call that has it');
      });
      open.set(stored.nonce, filled);
      return filled;
    },

    async receiptOf(stored) {
      await signing.loaded();
      const below = [...open.values()].filter(({ nonce }) => nonce < stored.nonce);
      for (const each of below.sort((a, b) => a.nonce - b.nonce)) {
        assertTurn(each);
        void submit(each.nonce, bytesOf(each));
      }
      assertTurn(stored);
      return submit(stored.nonce, bytesOf(stored));
    },

    async submitAlone(raw) {
      try {
        return await blockchain.submit(raw);
      } catch (error) {
        if (error instanceof ChainError && error.reason === 'refused') return undefined;
        throw error;
      }
    },

    async isUsed(nonce) {
      if ((await blockchain.count(key)) <= nonce) return 'no';
      const confirmed = await blockchain.count(key, 'confirmed');
      if (confirmed <= nonce) return 'perhaps';
      open.delete(nonce);
      // Another program may use the key and have taken more nonces.
      signing.isTaken(confirmed);
      return 'yes';
    },
  };
}

/** Sends bytes, unless they are in flight. */
function createSubmit(
  { blockchain, metrics }: KeyCallParts,
  open: Signing['open'],
): (nonce: number, raw: string) => Promise<Receipt> {
  const underWay = new Map<string, Promise<Receipt>>();
  return (nonce, raw) => {
    const known = underWay.get(raw);
    if (known !== undefined) return known;
    const sent = blockchain.submit(raw).then((receipt) => {
      if (open.delete(nonce)) metrics.count('ff_blockchain_transactions_total');
      return receipt;
    });
    underWay.set(raw, sent);
    const end = (): void => void underWay.delete(raw);
    // The caller waiting for it gets the error as well; a call with a lower nonce may have no such caller.
    sent.then(end, end);
    return sent;
  };
}
