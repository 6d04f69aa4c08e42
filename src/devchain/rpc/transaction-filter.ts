import type { Block } from '../engine/chain.js';
import type { Pool } from '../mining/pool.js';
import { RpcError, rpcCodes } from './rpc-error.js';

/** A mined block, or the reason why none could be mined. */
export type MiningResult = { readonly block: Block } | { readonly error: RpcError };

interface Suspect {
  readonly hash: string;
  readonly raw: string;
  readonly sender: string;
}

/**
 * Creates the filter for transactions that block mining: the engine mines no block at all while the sender of a waiting
 * transaction cannot pay for it after those before it. The filter removes all and re-adds them one by one, each with
 * its own block. One that then fails stays out and is refused, with everything else that waits from its sender.
 * Resolves with the number of mined blocks.
 */
export function createTransactionFilter(
  pool: Pool,
  tryMine: () => Promise<MiningResult>,
  refuse: (hash: string, error: RpcError) => void,
): () => Promise<number> {
  /** Mines one transaction; undefined if it is ahead of its nonce, so that it waits. */
  async function mineAlone({ hash, raw }: Suspect): Promise<MiningResult | undefined> {
    try {
      await pool.add(raw);
    } catch (error) {
      if (error instanceof RpcError) return { error };
      throw error;
    }
    return (await pool.hasNext([hash])) ? tryMine() : undefined;
  }

  async function dropAllOf(sender: string, suspects: readonly Suspect[], error: RpcError): Promise<void> {
    const own = suspects.filter((each) => each.sender === sender && pool.raws().has(each.hash));
    for (const { hash } of own) {
      await pool.drop(hash);
      refuse(hash, error);
    }
  }

  return async () => {
    const suspects = await removeAll(pool);
    const barred = new Set<string>();
    let blocks = 0;
    for (const suspect of suspects) {
      const outcome = barred.has(suspect.sender) ? { error: followsRefused() } : await mineAlone(suspect);
      if (outcome === undefined) continue;
      if ('block' in outcome) {
        blocks += 1;
        continue;
      }
      refuse(suspect.hash, outcome.error);
      if (!pool.raws().has(suspect.hash)) continue;
      barred.add(suspect.sender);
      await dropAllOf(suspect.sender, suspects, outcome.error);
    }
    return blocks;
  };
}

async function removeAll(pool: Pool): Promise<Suspect[]> {
  const suspects: Suspect[] = [];
  for (const [hash, raw] of [...pool.raws()]) {
    const found = await pool.find(hash);
    if (found === undefined) continue;
    suspects.push({ hash, raw, sender: found.sender });
  }
  for (const { hash } of suspects) await pool.drop(hash);
  return suspects;
}

function followsRefused(): RpcError {
  return new RpcError(rpcCodes.refused, 'A transaction before this one, of the same sender, was refused.');
}
