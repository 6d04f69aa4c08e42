import { type Blockchain, ChainError, type ChainCursor, type LogPage } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import { deliverPage, joinSignals } from './delivery.js';
import { type Block, contractAddress, type MemoryChain } from './memory-chain.js';

export interface MemoryWatchOptions {
  readonly chain: MemoryChain;
  readonly clock: Clock;
  readonly closed: AbortSignal;
  readonly isAway: () => boolean;
}

const maxPageBlocks = 50;

/** `watch` of the port, over the blocks of a memory chain. */
export function createMemoryWatch({ chain, clock, closed, isAway }: MemoryWatchOptions): Blockchain['watch'] {
  return async (after, handler, signal) => {
    const ended = joinSignals(signal, closed);
    let cursor = after ?? cursorAt(chain, chain.blocks[0]);
    try {
      while (!ended.signal.aborted) {
        const page = isAway() ? undefined : nextPage(chain, cursor);
        if (page === undefined) {
          await change(chain, ended.signal);
          continue;
        }
        // It ends without being taken only when the watch ends.
        await deliverPage({ page, handler, signal: ended.signal, clock, log: undefined });
        cursor = page.cursor;
      }
    } finally {
      ended.release();
    }
  };
}

/** Resolves when anything has changed or the signal aborts. */
function change({ listeners }: MemoryChain, signal: AbortSignal): Promise<void> {
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

/** What follows the cursor, if anything does. Throws ChainError `other_chain` if the cursor is of another chain. */
function nextPage(chain: MemoryChain, cursor: ChainCursor): LogPage | undefined {
  const here = cursorAt(chain, chain.blocks[cursor.block]);
  const fields = ['genesisHash', 'contract', 'blockHash'] as const;
  if (fields.some((field) => cursor[field] !== here[field])) {
    throw new ChainError('other_chain', `Block ${cursor.block} is not the one that this node has read.`);
  }
  const blocks = chain.blocks.slice(cursor.block + 1, cursor.block + 1 + maxPageBlocks);
  if (blocks.length === 0) return undefined;
  return { logs: blocks.flatMap(({ logs }) => logs), cursor: cursorAt(chain, blocks.at(-1)) };
}

function cursorAt({ blocks }: MemoryChain, block: Block | undefined): ChainCursor {
  const [genesis] = blocks;
  if (genesis === undefined || block === undefined) throw new ChainError('other_chain', 'There is no such block.');
  return { genesisHash: genesis.hash, contract: contractAddress, block: block.number, blockHash: block.hash };
}
