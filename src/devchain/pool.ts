import type { Block, Chain, Waiting } from './chain.js';
import type { Action } from './journal.js';
import { RpcError, rpcCodes } from './rpc-error.js';

/** The transactions that wait for a block, in the order in which they came. */
export interface Pool {
  /** The hash of a transaction that waits from now on. Throws RpcError. */
  add(raw: string): Promise<string>;
  drop(hash: string): Promise<void>;
  /** Makes one block of what can be in it, be it empty. */
  mine(): Promise<void>;
  /** Makes blocks until nothing that is new, or was to be looked at again, can be in another one. */
  mineFresh(): Promise<void>;
  /** Looks at all that waits as if it were new. */
  considerAll(): void;
  considerNone(): void;
  /** A block was made elsewhere. */
  leave(block: Block): void;
  refusal(hash: string): RpcError | undefined;
  forgetRefusals(): void;
}

const maxWaiting = 10_000;
const maxWaitingBytes = 64 * 1_024 * 1_024;
/** No transaction may ask for more (EIP-7825), so a block with more gas left than this has left nothing out for lack of it. */
const maxGasPerTransaction = 16_777_216;

/**
 * A transaction ahead of its nonce waits until those before it are here, so the order of arrival over several connections does
 * not matter. One that cannot be paid for after those before it would stop every block: it is found, and refused.
 */
export function createPool(chain: Chain, record: (action: Action) => void, mineBlock: () => Promise<Block>): Pool {
  /** Hash → the signed transaction. What was replaced by one that pays more stays until it is looked up. */
  const raws = new Map<string, string>();
  const fresh = new Set<string>();
  const refusals = new Map<string, RpcError>();
  let waitingBytes = 0;

  function forget(hash: string): void {
    waitingBytes -= raws.get(hash)?.length ?? 0;
    raws.delete(hash);
    fresh.delete(hash);
  }

  function leave(block: Block): void {
    for (const hash of block.transactions) forget(hash);
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

  async function add(raw: string): Promise<string> {
    await makeRoomFor(raw);
    const hash = await chain.accept(raw);
    record({ do: 'accept', raw });
    raws.set(hash, raw);
    fresh.add(hash);
    waitingBytes += raw.length;
    return hash;
  }

  async function drop(hash: string): Promise<void> {
    await chain.drop(hash);
    record({ do: 'drop', hash });
    forget(hash);
  }

  /** Whether one of these transactions, and one with more gas than there was room for, has the next nonce of its sender. */
  async function hasNext(hashes: Iterable<string>, gasLeft = 0): Promise<boolean> {
    for (const hash of [...hashes]) {
      const found = await find(hash);
      if (found !== undefined && found.gasLimit > gasLeft && (await isNext(found))) return true;
    }
    return false;
  }

  async function isNext({ sender, nonce }: Waiting): Promise<boolean> {
    return (await chain.nonce(sender)) === nonce;
  }

  /** The next block, or the error and nothing if a transaction stands in its way. */
  async function tryMine(): Promise<{ readonly block: Block } | { readonly error: RpcError }> {
    try {
      const block = await mineBlock();
      leave(block);
      return { block };
    } catch (error) {
      if (error instanceof RpcError && raws.size > 0) return { error };
      throw error;
    }
  }

  /** Takes everything out and puts it back one by one, each with a block of its own; what then fails stays out. */
  async function mineOneByOne(): Promise<void> {
    const all = [...raws];
    const senders = new Map<string, string | undefined>();
    for (const [hash] of all) senders.set(hash, (await find(hash))?.sender);
    for (const [hash, sender] of senders) if (sender !== undefined) await drop(hash);
    const barred = new Set<string>();
    for (const [hash, raw] of all) {
      const sender = senders.get(hash);
      if (sender === undefined) continue;
      if (barred.has(sender)) refusals.set(hash, new RpcError(rpcCodes.refused, 'One before it was refused.'));
      else await mineAlone(hash, raw, senders, barred);
    }
  }

  async function mineAlone(
    hash: string,
    raw: string,
    senders: ReadonlyMap<string, string | undefined>,
    barred: Set<string>,
  ): Promise<void> {
    try {
      await add(raw);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      refusals.set(hash, error);
      return;
    }
    if (!(await hasNext([hash]))) return;
    const outcome = await tryMine();
    if ('block' in outcome) return;
    const sender = senders.get(hash) ?? '';
    barred.add(sender);
    for (const other of [...raws.keys()].filter((each) => senders.get(each) === sender)) {
      await drop(other);
      refusals.set(other, outcome.error);
    }
  }

  return {
    add,
    drop,
    leave,
    async mine() {
      const before = chain.head().number;
      const outcome = await tryMine();
      if ('error' in outcome) await mineOneByOne();
      if (chain.head().number === before) leave(await mineBlock());
    },
    async mineFresh() {
      let isWanted = await hasNext(fresh);
      while (isWanted) {
        const outcome = await tryMine();
        if ('error' in outcome) {
          await mineOneByOne();
          break;
        }
        // Another block is wanted only for what this one had no room for: what offers too low a fee waits for the next turn.
        const { gasLeft, transactions } = outcome.block;
        isWanted = transactions.length > 0 && gasLeft < maxGasPerTransaction && (await hasNext(raws.keys(), gasLeft));
      }
      fresh.clear();
    },
    considerAll() {
      for (const hash of raws.keys()) fresh.add(hash);
    },
    considerNone: () => fresh.clear(),
    refusal: (hash) => refusals.get(hash),
    forgetRefusals: () => refusals.clear(),
  };
}
