import { maxTransactionGas } from '../../ports/blockchain.js';
import type { Block } from '../engine/chain.js';
import type { Pool } from './pool.js';
import { RpcError } from '../rpc/rpc-error.js';
import { createTransactionFilter, type MiningResult } from '../rpc/transaction-filter.js';

/** Mines waiting transactions. */
export interface Miner {
  /** Mines one block with all transactions that fit, possibly empty; several if they cannot share one. */
  mine(): Promise<void>;
  /** Mines blocks until none of these transactions, and none that did not fit before, can be mined. */
  mineAll(hashes: Iterable<string>): Promise<void>;
  /** The reason why a transaction was removed instead of being mined. */
  refusal(hash: string): RpcError | undefined;
  forgetRefusals(): void;
}

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

  const mineOneByOne = createTransactionFilter(pool, tryMine, (hash, error) => refusals.set(hash, error));

  return {
    async mine() {
      const outcome = await tryMine();
      if ('block' in outcome) return;
      // A requested block is always mined, even without transactions.
      if ((await mineOneByOne()) === 0) pool.leave(await mineBlock());
    },
    async mineAll(hashes) {
      let isWanted = await pool.hasNext(hashes);
      while (isWanted) {
        const outcome = await tryMine();
        if ('error' in outcome) {
          await mineOneByOne();
          return;
        }
        // Another block is mined only for transactions that did not fit in this one: one with too low a fee waits for
        // the next turn, and a block with more gas left than a transaction may use has left none out.
        const { gasLeft, transactions } = outcome.block;
        const isCrowded = transactions.length > 0 && gasLeft < maxTransactionGas;
        isWanted = isCrowded && (await pool.hasNext(pool.raws().keys(), gasLeft));
      }
    },
    refusal: (hash) => refusals.get(hash),
    forgetRefusals: () => refusals.clear(),
  };
}
