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
   * Mines blocks until neither these transactions nor those left out of a full block can be mined. Full blocks can
   * raise the base fee above what the remaining transactions pay, and only further blocks lower it. So empty blocks are
   * mined for them, as long as that can help.
   */
  mineAll(hashes: Iterable<string>): Promise<void>;
  /** The reason why a transaction was removed instead of being mined. */
  refusal(hash: string): RpcError | undefined;
  forgetRefusals(): void;
}

/** The limit of consecutive empty blocks. Each lowers the base fee by an eighth. */
const maxEmptyBlocks = 64;
/** The approximate factor by which that many blocks lower the base fee. */
const maxFeeFall = 5_000n;

/** Creates the miner. No sender can block the chain for others: a transaction that prevents a block is removed. */
export function createMiner(pool: Pool, mineBlock: () => Promise<Block>): Miner {
  const refusals = new Map<string, RpcError>();

  async function tryMine(): Promise<MiningResult> {
    try {
      const block = await mineBlock();
      pool.removeMined(block);
      return { block };
    } catch (error) {
      if (error instanceof RpcError && pool.raws().size > 0) return { error };
      throw error;
    }
  }

  /**
   * Whether the block had no room for a waiting transaction. One with gas left for any transaction had room for all.
   */
  async function hasLeftOut({ gasLeft, transactions }: Block): Promise<boolean> {
    if (transactions.length === 0 || gasLeft >= maxTransactionGas) return false;
    return pool.hasNext(pool.raws().keys(), ({ gasLimit }) => gasLimit > gasLeft);
  }

  /** Whether one of these transactions waits only until empty blocks have lowered the base fee. */
  function isWaitingForFee(hashes: readonly string[], { baseFee }: Block): Promise<boolean> {
    const left = hashes.filter((hash) => pool.raws().has(hash));
    return pool.hasNext(left, ({ maxFee }) => maxFee * maxFeeFall >= baseFee);
  }

  const mineOneByOne = createTransactionFilter(pool, tryMine, (hash, error) => refusals.set(hash, error));

  return {
    async mine() {
      const outcome = await tryMine();
      if ('block' in outcome) return;
      // A requested block is always mined, even without transactions.
      if ((await mineOneByOne()) === 0) pool.removeMined(await mineBlock());
    },
    async mineAll(hashes) {
      const requested = [...hashes];
      let isBlockNeeded = await pool.hasNext(requested);
      let emptyBlocks = 0;
      while (isBlockNeeded) {
        const outcome = await tryMine();
        if ('error' in outcome) {
          await mineOneByOne();
          return;
        }
        const { block } = outcome;
        emptyBlocks = block.transactions.length === 0 ? emptyBlocks + 1 : 0;
        isBlockNeeded =
          (await hasLeftOut(block)) || (emptyBlocks < maxEmptyBlocks && (await isWaitingForFee(requested, block)));
      }
    },
    refusal: (hash) => refusals.get(hash),
    forgetRefusals: () => refusals.clear(),
  };
}
