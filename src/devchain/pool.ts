import type { Block, Chain, Waiting } from './chain.js';
import type { Action } from './journal.js';
import { RpcError, rpcCodes } from './rpc-error.js';

/** The transactions that wait for a block, in the order in which they came. */
export interface Pool {
  /** The hash of a transaction that waits from now on. Throws RpcError. */
  add(raw: string): Promise<string>;
  drop(hash: string): Promise<void>;
  /** What still waits of it: undefined if it was mined, dropped, or replaced by one that pays more. */
  find(hash: string): Promise<Waiting | undefined>;
  /** Whether one of these has the next nonce of its sender and asks for more gas than there was room for. */
  hasNext(hashes: Iterable<string>, gasLeft?: number): Promise<boolean>;
  /** A block was made: what is in it waits no more. */
  leave(block: Block): void;
  /** Hash → signed transaction. What was replaced stays until it is looked for. */
  raws(): ReadonlyMap<string, string>;
}

const maxWaiting = 10_000;
const maxWaitingBytes = 64 * 1_024 * 1_024;

/** A transaction ahead of its nonce waits too, so the order of arrival over several connections does not matter. */
export function createPool(chain: Chain, record: (action: Action) => void): Pool {
  const raws = new Map<string, string>();
  let waitingBytes = 0;

  function forget(hash: string): void {
    waitingBytes -= raws.get(hash)?.length ?? 0;
    raws.delete(hash);
  }

  async function find(hash: string): Promise<Waiting | undefined> {
    const found = await chain.waiting(hash);
    if (found === undefined) forget(hash);
    return found;
  }

  const hasRoomFor = (raw: string): boolean => raws.size < maxWaiting && waitingBytes + raw.length <= maxWaitingBytes;

  async function makeRoomFor(raw: string): Promise<void> {
    if (hasRoomFor(raw)) return;
    for (const hash of [...raws.keys()]) await find(hash);
    if (hasRoomFor(raw)) return;
    throw new RpcError(rpcCodes.limitExceeded, `Too many transactions wait: at most ${maxWaiting} may.`);
  }

  return {
    find,
    raws: () => raws,
    async add(raw) {
      await makeRoomFor(raw);
      const hash = await chain.accept(raw);
      record({ do: 'accept', raw });
      raws.set(hash, raw);
      waitingBytes += raw.length;
      return hash;
    },
    async drop(hash) {
      await chain.drop(hash);
      record({ do: 'drop', hash });
      forget(hash);
    },
    leave(block) {
      for (const hash of block.transactions) forget(hash);
    },
    async hasNext(hashes, gasLeft = 0) {
      for (const hash of [...hashes]) {
        const found = await find(hash);
        if (found === undefined || found.gasLimit <= gasLeft) continue;
        if ((await chain.nonce(found.sender)) === found.nonce) return true;
      }
      return false;
    },
  };
}
