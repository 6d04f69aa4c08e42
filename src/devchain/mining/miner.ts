import { maxTransactionGas } from '../../ports/blockchain.js';
import type { Block } from '../engine/chain.js';
import type { Pool } from './pool.js';
import { RpcError } from '../rpc/rpc-error.js';
import { createTransactionFilter, type MiningResult } from '../rpc/transaction-filter.js';

/** Mines waiting transactions. */
export interface Miner {
  /** Mines one block with all transactions that fit, possibly empty; several if they cannot share one. */
  mine(): Promise<void>;
  /**
   * Mines blocks until none of these transactions, and none that did not fit before, can be mined. Full blocks raise
   * the base fee above what those behind them pay. As only blocks let it fall again, and a chain at rest makes none,
   * those that are left would wait for ever; so blocks are made for them, as long as that can help.
   */
  mineAll(hashes: Iterable<string>): Promise<void>;
  /** The reason why a transaction was removed instead of being mined. */
  refusal(hash: string): RpcError | undefined;
  forgetRefusals(): void;
}

/** Each lowers the base fee by an eighth. */
const maxEmptyBlocks = 64;
/** So many of them divide it by about as much. */
const maxFall = 5_000n;

/** Creates the miner. No sender can block the chain for others: a transaction that prevents a block is removed. */
export function createMiner(pool: Pool, mineBlock: () => Promise<Block>): Miner {
  const refusals = new Map<string, RpcError>();

  async function tryMine(): Promise<MiningResult> {
    try {
      const block = await mineBlock();
      pool.leave(block);
      return { block };
    } catch (error) {
      if (error instanceof RpcError && pool.raws().size > 0) return { error };
      throw error;
    }
  }

  /** Whether a block had no room for some: one with more gas left than a transaction may use has left none out. */
  async function hasLeftOut({ gasLeft, transactions }: Block): Promise<boolean> {
    if (transactions.length === 0 || gasLeft >= maxTransactionGas) return false;
    return pool.hasNext(pool.raws().keys(), ({ gasLimit }) => gasLimit > gasLeft);
  }

  /** Whether one that a block has left out can pay what blocks without transactions bring the base fee down to. */
  function isWaitingForFee(hashes: readonly string[], { baseFee }: Block): Promise<boolean> {
    const left = hashes.filter((hash) => pool.raws().has(hash));
    return pool.hasNext(left, ({ maxFee }) => maxFee * maxFall >= baseFee);
  }

  const mineOneByOne = createTransactionFilter(pool, tryMine, (hash, error) => refusals.set(hash, error));

  return {
    async mine() {
      const outcome = await tryMine();
      if ('block' in outcome) return;
      // A requested block is always mined, even without transactions.
      if ((await mineOneByOne()) === 0) pool.leave(await mineBlock());
    },
    async mineAll(hashes) {
      const meant = [...hashes];
      let isWanted = await pool.hasNext(meant);
      let emptyBlocks = 0;
      while (isWanted) {
        const outcome = await tryMine();
        if ('error' in outcome) {
          await mineOneByOne();
          return;
        }
        const { block } = outcome;
        emptyBlocks = block.transactions.length === 0 ? emptyBlocks + 1 : 0;
        isWanted = (await hasLeftOut(block)) || (emptyBlocks < maxEmptyBlocks && (await isWaitingForFee(meant, block)));
      }
    },
    refusal: (hash) => refusals.get(hash),
    forgetRefusals: () => refusals.clear(),
  };
}
