import {
  type Blockchain,
  ChainError,
  type ChainCursor,
  type LogPage,
  type NetworkLog,
} from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import { deliverPage, joinSignals } from './delivery.js';

export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly time: string;
  readonly logs: readonly NetworkLog[];
  /** What the block is made of; the genesis block and the operator's have none that counts a nonce. */
  readonly transaction?: { readonly hash: string; readonly sender: string };
}

export interface MemoryWatchOptions {
  /** The chain, growing; a block stands at its number. */
  readonly blocks: readonly Block[];
  readonly contract: string;
  readonly clock: Clock;
  /** To be called whenever anything about the chain has changed. */
  readonly listeners: Set<() => void>;
  readonly closed: AbortSignal;
  readonly isAway: () => boolean;
}

const maxPageBlocks = 50;

/** `watch` of the port, over an array. */
export function createMemoryWatch(options: MemoryWatchOptions): Blockchain['watch'] {
  const { blocks, contract, clock, listeners, closed, isAway } = options;

  /** Resolves when anything has changed or the signal aborts. */
  function change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        listeners.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      listeners.add(done);
      signal.addEventListener('abort', done);
    });
  }

  function cursorAt(block: Block | undefined): ChainCursor {
    const [genesis] = blocks;
    if (genesis === undefined || block === undefined) throw new ChainError('other_chain', 'There is no such block.');
    return { genesisHash: genesis.hash, contract, block: block.number, blockHash: block.hash };
  }

  function assertSameChain(cursor: ChainCursor): void {
    const here = cursorAt(blocks[cursor.block]);
    const fields = ['genesisHash', 'contract', 'blockHash'] as const;
    if (fields.every((field) => cursor[field] === here[field])) return;
    throw new ChainError('other_chain', `Block ${cursor.block} is not the one that this node has read.`);
  }

  return async (after, handler, signal) => {
    const ended = joinSignals(signal, closed);
    let cursor = after ?? cursorAt(blocks[0]);
    try {
      while (!ended.signal.aborted) {
        const page = isAway() ? undefined : nextPage(cursor);
        if (page === undefined) await change(ended.signal);
        else if (await deliverPage({ page, handler, signal: ended.signal, clock, log: undefined }))
          cursor = page.cursor;
      }
    } finally {
      ended.release();
    }
  };

  function nextPage(cursor: ChainCursor): LogPage | undefined {
    assertSameChain(cursor);
    const page = blocks.slice(cursor.block + 1, cursor.block + 1 + maxPageBlocks);
    if (page.length === 0) return undefined;
    return { logs: page.flatMap(({ logs }) => logs), cursor: cursorAt(page.at(-1)) };
  }
}
