import type { Block, Chain, Waiting } from '../engine/chain.js';
import type { Action } from '../journal/journal.js';
import { RpcError, rpcCodes } from '../rpc/rpc-error.js';

/** The transactions waiting for a block, in order of arrival. */
export interface Pool {
  /** Adds a transaction and returns its hash. Throws RpcError. */
  add(raw: string): Promise<string>;
  drop(hash: string): Promise<void>;
  /** A waiting transaction; undefined if it was mined, dropped, or replaced by one with a higher fee. */
  find(hash: string): Promise<Waiting | undefined>;
  /** Whether one of these waits with its sender's next nonce and satisfies the condition. */
  hasNext(hashes: Iterable<string>, condition?: (waiting: Waiting) => boolean): Promise<boolean>;
  /** Removes the transactions of a mined block. */
  removeMined(block: Block): void;
  /** Adds accepted transactions, as pairs of hash and signed form, and then removes all that no longer wait. */
  restore(accepted: Iterable<readonly [string, string]>, waiting: ReadonlySet<string>): void;
  /** Hash → signed transaction. A replaced transaction stays until it is looked up. */
  raws(): ReadonlyMap<string, string>;
}

const maxWaiting = 10_000;
const maxWaitingCharacters = 64 * 1_024 * 1_024;

/**
 * Creates the pool. It also accepts transactions ahead of their nonce, so the order of arrival over several connections
 * does not matter.
 */
export function createPool(chain: Chain, record: (action: Action) => void): Pool {
  const raws = new Map<string, string>();
  let waitingCharacters = 0;

  function keep(hash: string, raw: string): void {
    raws.set(hash, raw);
    waitingCharacters += raw.length;
  }

  function forget(hash: string): void {
    waitingCharacters -= raws.get(hash)?.length ?? 0;
    raws.delete(hash);
  }

  async function find(hash: string): Promise<Waiting | undefined> {
    const found = await chain.waiting(hash);
    if (found === undefined) forget(hash);
    return found;
  }

  const hasRoomFor = (raw: string): boolean =>
    raws.size < maxWaiting && waitingCharacters + raw.length <= maxWaitingCharacters;

  async function makeRoomFor(raw: string): Promise<void> {
    if (hasRoomFor(raw)) return;
    for (const hash of [...raws.keys()]) await find(hash);
    if (hasRoomFor(raw)) return;
    const limit = `${maxWaiting} transactions, ${maxWaitingCharacters} characters in total`;
    throw new RpcError(rpcCodes.limitExceeded, `Too many transactions are waiting for a block: the limit is ${limit}.`);
  }

  return {
    find,
    raws: () => raws,
    async add(raw) {
      await makeRoomFor(raw);
      const hash = await chain.accept(raw);
      record({ do: 'accept', raw });
      keep(hash, raw);
      return hash;
    },
    async drop(hash) {
      await chain.drop(hash);
      record({ do: 'drop', hash });
      forget(hash);
    },
    removeMined(block) {
      for (const hash of block.transactions) forget(hash);
    },
    restore(accepted, waiting) {
      for (const [hash, raw] of accepted) keep(hash, raw);
      for (const hash of [...raws.keys()]) if (!waiting.has(hash)) forget(hash);
    },
    async hasNext(hashes, condition = () => true) {
      for (const hash of [...hashes]) {
        const found = await find(hash);
        if (found === undefined || !condition(found)) continue;
        if ((await chain.nonce(found.sender)) === found.nonce) return true;
      }
      return false;
    },
  };
}
