import { maxTransactionGas } from '../ports/blockchain.js';
import type { Block } from './chain.js';
import type { Pool } from './pool.js';
import { RpcError } from './rpc-error.js';
import { createSieve, type Outcome } from './sieve.js';

/** Makes blocks of what waits. */
export interface Miner {
  /** Makes one block of what can be in it, be it empty; more if what waits cannot stand in one. */
  mine(): Promise<void>;
  /** Makes blocks until none of these, and nothing that was crowded out, can be in another one. */
  mineAll(hashes: Iterable<string>): Promise<void>;
  /** Why a transaction was taken out instead of being mined. */
  refusal(hash: string): RpcError | undefined;
  forgetRefusals(): void;
}

/** Nobody can stop the chain for the others: what stands in the way of a block is taken out. */
export function createMiner(pool: Pool, mineBlock: () => Promise<Block>): Miner {
  const refusals = new Map<string, RpcError>();

  async function tryMine(): Promise<Outcome> {
    try {
      const block = await mineBlock();
      pool.leave(block);
      return { block };
    } catch (error) {
      if (error instanceof RpcError && pool.raws().size > 0) return { error };
      throw error;
    }
  }

  const mineOneByOne = createSieve(pool, tryMine, (hash, error) => refusals.set(hash, error));

  return {
    async mine() {
      const outcome = await tryMine();
      if ('block' in outcome) return;
      // Whoever asks for a block gets one, also when nothing is left that can be in it.
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
        // Another block is wanted only for what had no room in this one: too low a fee waits for the next turn, and
        // a block with more gas left than any transaction may ask for has left nothing out.
        const { gasLeft, transactions } = outcome.block;
        const isCrowded = transactions.length > 0 && gasLeft < maxTransactionGas;
        isWanted = isCrowded && (await pool.hasNext(pool.raws().keys(), gasLeft));
      }
    },
    refusal: (hash) => refusals.get(hash),
    forgetRefusals: () => refusals.clear(),
  };
}
