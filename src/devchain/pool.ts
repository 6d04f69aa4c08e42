import type { Block, Chain, Transaction } from './chain.js';
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

interface Waiting extends Transaction {
  readonly raw: string;
}

const maxWaiting = 10_000;
const maxWaitingBytes = 64 * 1_024 * 1_024;

/**
 * A transaction ahead of its nonce waits until those before it are here, so the order of arrival over several connections does
 * not matter. One that cannot be paid for after those before it would stop every block: it is found, and refused.
 */
export function createPool(chain: Chain, record: (action: Action) => void, mineBlock: () => Promise<Block>): Pool {
  const waiting = new Map<string, Waiting>();
  const fresh = new Set<string>();
  const refusals = new Map<string, RpcError>();
  let waitingBytes = 0;

  function forget(hash: string): void {
    waitingBytes -= waiting.get(hash)?.raw.length ?? 0;
    waiting.delete(hash);
    fresh.delete(hash);
  }

  function leave(block: Block): void {
    for (const hash of block.transactions) forget(hash);
  }

  async function add(raw: string): Promise<string> {
    if (waiting.size >= maxWaiting || waitingBytes + raw.length > maxWaitingBytes) {
      throw new RpcError(rpcCodes.limitExceeded, `Too many transactions wait: at most ${maxWaiting} may.`);
    }
    const transaction = await chain.accept(raw);
    record({ do: 'accept', raw });
    forgetReplaced(transaction);
    waiting.set(transaction.hash, { ...transaction, raw });
    fresh.add(transaction.hash);
    waitingBytes += raw.length;
    return transaction.hash;
  }

  /** Of two with one sender and nonce the chain keeps the one that pays more. */
  function forgetReplaced({ sender, nonce }: Transaction): void {
    for (const other of waiting.values()) {
      if (other.sender === sender && other.nonce === nonce) forget(other.hash);
    }
  }

  async function drop(hash: string): Promise<void> {
    await chain.drop(hash);
    record({ do: 'drop', hash });
    forget(hash);
  }

  async function isNext({ sender, nonce }: Transaction): Promise<boolean> {
    return (await chain.nonce(sender)) === nonce;
  }

  async function hasNext(candidates: Iterable<Waiting>): Promise<boolean> {
    for (const transaction of candidates) {
      if (await isNext(transaction)) return true;
    }
    return false;
  }

  /** The next block, or undefined and nothing if a transaction stands in its way. */
  async function tryMine(): Promise<{ readonly block: Block } | { readonly error: RpcError }> {
    try {
      const block = await mineBlock();
      leave(block);
      return { block };
    } catch (error) {
      if (error instanceof RpcError && waiting.size > 0) return { error };
      throw error;
    }
  }

  /** Takes everything out and puts it back one by one, each with a block of its own; what then fails stays out. */
  async function mineOneByOne(): Promise<void> {
    const all = [...waiting.values()];
    for (const { hash } of all) await drop(hash);
    const barred = new Set<string>();
    for (const transaction of all) {
      if (barred.has(transaction.sender))
        refuse(transaction, new RpcError(rpcCodes.refused, 'One before it was refused.'));
      else await mineAlone(transaction, barred);
    }
  }

  async function mineAlone(transaction: Waiting, barred: Set<string>): Promise<void> {
    try {
      await add(transaction.raw);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      refuse(transaction, error);
      return;
    }
    if (!(await isNext(transaction))) return;
    const outcome = await tryMine();
    if ('block' in outcome) return;
    barred.add(transaction.sender);
    for (const other of [...waiting.values()].filter(({ sender }) => sender === transaction.sender)) {
      await drop(other.hash);
      refuse(other, outcome.error);
    }
  }

  function refuse({ hash }: Transaction, error: RpcError): void {
    refusals.set(hash, error);
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
      const candidates = [...waiting.values()].filter(({ hash }) => fresh.has(hash));
      let isWanted = await hasNext(candidates);
      while (isWanted) {
        const outcome = await tryMine();
        if ('error' in outcome) {
          await mineOneByOne();
          break;
        }
        // Another block is wanted only for what this one had no room for: what asks for a lower fee waits for the next turn.
        const { gasLeft } = outcome.block;
        const crowdedOut = [...waiting.values()].filter(({ gasLimit }) => gasLimit > gasLeft);
        isWanted = outcome.block.transactions.length > 0 && (await hasNext(crowdedOut));
      }
      fresh.clear();
    },
    considerAll() {
      for (const hash of waiting.keys()) fresh.add(hash);
    },
    considerNone: () => fresh.clear(),
    refusal: (hash) => refusals.get(hash),
    forgetRefusals: () => refusals.clear(),
  };
}
