import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type Blockchain, ChainError, type ChainCall, type NetworkLog, type Receipt } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import { decodeTransaction, encodeTransaction, transactionHashOf } from './memory-call.js';
import { createMemoryContract, type NewKey, type NewMember, type NewNode, type Outcome } from './memory-contract.js';
import { createMemoryWatch, type Block } from './memory-watch.js';

export interface MemoryLedger {
  /** The way of one node, with the addresses that it signs for. The ledger outlives all its nodes. */
  connect(options: { readonly keys: readonly string[] }): Blockchain;

  /** All logs so far, in chain order. */
  logs(): readonly NetworkLog[];

  /** What the operator and members do without a node. The contract's rules are asserted. */
  addMember(member: NewMember): void;
  addKey(key: NewKey): void;
  setNode(node: NewNode): void;

  /** Mines a call of a key, past whatever node has the key, with the key's next nonce. Reverted is an answer. */
  call(key: string, call: ChainCall): Receipt;

  /** The next `count` calls that a node submits are mined, and their senders do not learn of it. */
  loseReplies(count: number): void;

  /** The chain goes away and comes back as it was: in between nobody can reach it. */
  stop(): void;
  start(): void;

  /** Takes the last `count` blocks away, as a reorganisation does. Registered keys stay registered. */
  rewind(count: number): void;
}

export interface MemoryLedgerOptions {
  readonly clock: Clock;
  /** Part of the genesis block: two ledgers with different names are different chains. */
  readonly name?: string;
}

const chainId = 2021;
const contract = '0x00000000000000000000000000000000000000c0';

/**
 * A chain in memory with the rules of `Network.sol`: one transaction a block, mined when it comes. It has no timers; it sleeps
 * on the given clock only between two attempts to hand over a page that was not taken.
 */
export function createMemoryLedger({ clock, name = 'parley' }: MemoryLedgerOptions): MemoryLedger {
  const state = createMemoryContract();
  const genesis: Block = { number: 0, hash: hashOf(name), time: clock.now(), logs: [] };
  const blocks: Block[] = [genesis];
  const receipts = new Map<string, Receipt>();
  const nonces = new Map<string, number>();
  const listeners = new Set<() => void>();
  let repliesToLose = 0;
  let isAway = false;

  function changed(): void {
    for (const listener of [...listeners]) listener();
  }

  /** A block of one transaction. Its time never goes back, as on every chain. */
  function mine(transactionHash: string, outcome: Outcome, sender?: string): Receipt {
    const parent = blocks.at(-1) ?? genesis;
    const number = parent.number + 1;
    const now = clock.now();
    const time = now < parent.time ? parent.time : now;
    const base = { position: { block: number, transactionIndex: 0, logIndex: 0 }, transactionHash, time };
    const logs = 'log' in outcome ? [{ ...base, ...outcome.log }] : [];
    const hash = hashOf(`${parent.hash} ${time} ${transactionHash}`);
    blocks.push({ number, hash, time, logs, ...(sender && { transaction: { hash: transactionHash, sender } }) });
    const mined = { transactionHash, block: number };
    const receipt: Receipt =
      'log' in outcome ? { status: 'success', ...mined } : { status: 'reverted', ...mined, reason: outcome.reason };
    receipts.set(transactionHash, receipt);
    changed();
    return receipt;
  }

  function operate(call: string, outcome: Outcome): void {
    assert('log' in outcome, `the contract takes what it is given: ${'reason' in outcome ? outcome.reason : ''}`);
    mine(hashOf(`${call} ${blocks.length}`), outcome);
  }

  function mineRaw(raw: string): Receipt {
    const { from, nonce, call, ...place } = decodeTransaction(raw);
    const expected = nonces.get(from) ?? 0;
    if (place.chainId !== chainId || place.contract !== contract) {
      throw new ChainError('refused', 'The call is signed for another chain.');
    }
    if (nonce < expected) throw new ChainError('refused', `Nonce ${nonce} of ${from} was used by another transaction.`);
    if (nonce > expected) throw new ChainError('unreachable', `The chain waits for nonce ${expected} of ${from}.`);
    nonces.set(from, nonce + 1);
    return mine(transactionHashOf(raw), state.call(from, call), from);
  }

  function assertReachable(signal: AbortSignal): void {
    if (isAway || signal.aborted) throw new ChainError('unreachable', 'The chain cannot be reached.');
  }

  function connect({ keys }: { readonly keys: readonly string[] }): Blockchain {
    const closed = new AbortController();
    return {
      keys,

      async sign(key, nonce, call) {
        assert(keys.includes(key), 'a call is signed with a key of this node');
        return encodeTransaction({ chainId, contract, from: key, nonce, call });
      },

      async submit(raw) {
        assertReachable(closed.signal);
        const receipt = receipts.get(transactionHashOf(raw)) ?? mineRaw(raw);
        if (repliesToLose === 0) return receipt;
        repliesToLose -= 1;
        throw new ChainError('unreachable', 'The answer of the chain was lost.');
      },

      async count(key) {
        assertReachable(closed.signal);
        return nonces.get(key) ?? 0;
      },

      watch: createMemoryWatch({ blocks, contract, clock, listeners, closed: closed.signal, isAway: () => isAway }),

      async status() {
        assertReachable(closed.signal);
        return { chainId, genesisHash: genesis.hash, head: blocks.length - 1 };
      },

      async close() {
        closed.abort();
        changed();
      },
    };
  }

  return {
    connect,
    logs: () => blocks.flatMap(({ logs }) => logs),
    addMember: (member) => operate('addMember', state.addMember(member)),
    addKey: (key) => operate('addKey', state.addKey(key)),
    setNode: (node) => operate('setNode', state.setNode(node)),
    call: (from, call) =>
      mineRaw(encodeTransaction({ chainId, contract, from, nonce: nonces.get(from) ?? 0, call }).raw),
    loseReplies(count) {
      repliesToLose = count;
    },
    stop() {
      isAway = true;
    },
    start() {
      isAway = false;
      changed();
    },
    rewind(count) {
      assert(count < blocks.length, 'the genesis block stays');
      for (const { transaction } of blocks.splice(blocks.length - count)) {
        if (transaction === undefined) continue;
        receipts.delete(transaction.hash);
        nonces.set(transaction.sender, (nonces.get(transaction.sender) ?? 0) - 1);
      }
      changed();
    },
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
