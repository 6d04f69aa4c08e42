import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ChainError, type NetworkLog, type Receipt } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import { decodeTransaction, transactionHashOf } from './memory-call.js';
import type { MemoryContract, Outcome } from './memory-contract.js';

export const chainId = 2_021;
export const contractAddress = '0x00000000000000000000000000000000000000c0';

export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly time: string;
  readonly logs: readonly NetworkLog[];
  /** What the block is made of, if a key signed it. */
  readonly transaction?: { readonly hash: string; readonly sender: string };
}

/** Blocks of one transaction each, with what a chain knows beside them. */
export interface MemoryChain {
  /** Growing; a block stands at its number. */
  readonly blocks: readonly Block[];

  /** The lowest nonce of a key that is free. */
  nonce(key: string): number;

  /** The receipt of signed bytes: the one that they have, or they are mined now. Throws ChainError. */
  submit(raw: string): Receipt;

  /** Mines what the operator did. */
  operate(outcome: Outcome): void;

  /** Takes the last blocks away, with their receipts and nonces. */
  rewind(count: number): void;

  /** Calls the listener after every change of the blocks, until it is taken out again. */
  readonly listeners: Set<() => void>;
  changed(): void;
}

export interface MemoryChainOptions {
  readonly clock: Clock;
  readonly name: string;
  readonly contract: MemoryContract;
}

export function createMemoryChain({ clock, name, contract }: MemoryChainOptions): MemoryChain {
  const genesis: Block = { number: 0, hash: hashOf(name), time: clock.now(), logs: [] };
  const blocks: Block[] = [genesis];
  const receipts = new Map<string, Receipt>();
  const nonces = new Map<string, number>();
  const listeners = new Set<() => void>();
  const nonceOf = (key: string): number => nonces.get(key) ?? 0;

  function changed(): void {
    for (const listener of [...listeners]) listener();
  }

  function mine(transactionHash: string, outcome: Outcome, sender?: string): number {
    const block = blockAfter(blocks.at(-1) ?? genesis, clock.now(), transactionHash, outcome);
    blocks.push(sender === undefined ? block : { ...block, transaction: { hash: transactionHash, sender } });
    changed();
    return block.number;
  }

  function assertNext(from: string, nonce: number): void {
    const expected = nonceOf(from);
    if (nonce < expected) throw new ChainError('refused', `Nonce ${nonce} of ${from} was used by another transaction.`);
    if (nonce > expected) throw new ChainError('unreachable', `The chain waits for nonce ${expected} of ${from}.`);
  }

  return {
    blocks,
    listeners,
    changed,
    nonce: nonceOf,

    submit(raw) {
      const transactionHash = transactionHashOf(raw);
      const known = receipts.get(transactionHash);
      if (known !== undefined) return known;
      const transaction = decodeTransaction(raw);
      if (transaction.chainId !== chainId || transaction.contract !== contractAddress) {
        throw new ChainError('refused', 'The call is signed for another chain or contract.');
      }
      const { from, nonce, call } = transaction;
      assertNext(from, nonce);
      nonces.set(from, nonce + 1);
      const outcome = contract.call(from, call);
      const block = mine(transactionHash, outcome, from);
      const receipt: Receipt =
        'log' in outcome
          ? { status: 'success', transactionHash, block }
          : { status: 'reverted', transactionHash, block, reason: outcome.reason };
      receipts.set(transactionHash, receipt);
      return receipt;
    },

    operate(outcome) {
      assert('log' in outcome, `the contract takes what it is given: ${'reason' in outcome ? outcome.reason : ''}`);
      mine(hashOf(`operator ${blocks.length}`), outcome);
    },

    rewind(count) {
      assert(count < blocks.length, 'the genesis block stays');
      for (const { transaction } of blocks.splice(blocks.length - count)) {
        if (transaction === undefined) continue;
        receipts.delete(transaction.hash);
        nonces.set(transaction.sender, nonceOf(transaction.sender) - 1);
      }
      changed();
    },
  };
}

/** A block's time never goes back, as on every chain. */
function blockAfter(parent: Block, now: string, transactionHash: string, outcome: Outcome): Block {
  const number = parent.number + 1;
  const time = now < parent.time ? parent.time : now;
  const base = { position: { block: number, transactionIndex: 0, logIndex: 0 }, transactionHash, time };
  const logs = 'log' in outcome ? [{ ...base, ...outcome.log }] : [];
  return { number, hash: hashOf(`${parent.hash} ${time} ${transactionHash}`), time, logs };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
