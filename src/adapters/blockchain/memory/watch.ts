import {
  type Blockchain,
  ChainError,
  type ChainCursor,
  type ContractLog,
  type LogPage,
  type LogSelection,
  type LogSource,
  type NetworkLog,
} from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import { deliverPage, joinSignals } from '../logs/delivery.js';
import { type Block, chainId, contractAddress, type MemoryChain } from './chain.js';
import { inputOf, type MemoryNetworkLog, networkTopicOf, rawLogOf, senderOf } from './network-logs.js';
import { matcherOf } from '../logs/placed.js';

export interface MemoryWatchOptions {
  readonly chain: MemoryChain;
  readonly clock: Clock;
  readonly closed: AbortSignal;
  readonly isAway: () => boolean;
}

const maxPageBlocks = 50;

/** Creates `watch` of the port over the blocks of a memory chain. */
export function createMemoryWatch({ chain, clock, closed, isAway }: MemoryWatchOptions): Blockchain['watch'] {
  return async (watching) => {
    const { after, selection } = watching;
    const ended = joinSignals(watching.signal, closed);
    let cursor = after;
    try {
      while (!ended.signal.aborted) {
        const page = isAway() ? undefined : nextPage(chain, cursor, selection());
        if (!isAway()) watching.onFollowing?.();
        if (page === undefined) {
          await change(chain, ended.signal);
          continue;
        }
        const reading = { ...watching, signal: ended.signal };
        const answer = await deliverPage({ page, watching: reading, clock, log: undefined });
        if (answer === 'taken') cursor = page.cursor;
      }
    } finally {
      ended.release();
    }
  };
}

/** Resolves on any change, or when the signal aborts. */
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

/** The page after the cursor, if there is one. Throws ChainError `other_chain` if the cursor is of another chain. */
function nextPage(chain: MemoryChain, cursor: ChainCursor | undefined, selection: LogSelection): LogPage | undefined {
  if (cursor !== undefined) assertSameChain(chain, cursor);
  const first = cursor === undefined ? 0 : cursor.block + 1;
  const blocks = chain.blocks.slice(first, first + maxPageBlocks);
  if (blocks.length === 0) return undefined;
  const { revision, sources } = selection;
  return { logs: selectLogs(chain, blocks, sources), cursor: cursorAt(chain, blocks.at(-1)), revision };
}

function assertSameChain(chain: MemoryChain, cursor: ChainCursor): void {
  const here = cursorAt(chain, chain.blocks[cursor.block]);
  const fields = ['genesisHash', 'contract', 'blockHash'] as const;
  if (fields.every((field) => cursor[field] === here[field])) return;
  throw new ChainError('other_chain', `Block ${cursor.block} is not the one that this node has read.`);
}

/** Implements `readLogs` of the port over the blocks of a memory chain. */
export function readMemoryLogs(chain: MemoryChain, source: LogSource, from: number, to: number): ContractLog[] {
  const logs = selectLogs(chain, chain.blocks.slice(from, to + 1), [source]);
  return logs.filter((log) => log.type === 'contract_log');
}

/** The logs of `Network.sol` and of the sources; a log that is both appears twice. */
function selectLogs(
  { memberKey }: MemoryChain,
  blocks: readonly Block[],
  sources: readonly LogSource[],
): (NetworkLog | ContractLog)[] {
  const isAsked = matcherOf(sources);
  const isWithInput = matcherOf(sources.filter(({ withInput }) => withInput === true));

  function ofNetwork(log: MemoryNetworkLog): (NetworkLog | ContractLog)[] {
    const [address, topic] = [contractAddress, networkTopicOf(log)];
    if (!isAsked(address, topic)) return [log];
    const { position, blockHash = '', transactionHash, time } = log;
    const place = { position, blockHash, chainId, transactionHash, time };
    const call = isWithInput(address, topic) && { input: inputOf(log), sender: senderOf(log, memberKey) };
    return [log, { type: 'contract_log', ...place, address, ...rawLogOf(log, memberKey), ...call }];
  }

  return blocks.flatMap(({ logs, transaction }) =>
    logs.flatMap((log): readonly (NetworkLog | ContractLog)[] => {
      if (log.type !== 'contract_log') return ofNetwork(log);
      const topic = log.topics[0] ?? '';
      if (!isAsked(log.address, topic)) return [];
      if (!isWithInput(log.address, topic) || transaction?.call.type !== 'contract') return [log];
      return [{ ...log, input: transaction.call.data, sender: transaction.sender }];
    }),
  );
}

function cursorAt({ blocks }: MemoryChain, block: Block | undefined): ChainCursor {
  const [genesis] = blocks;
  if (genesis === undefined || block === undefined) throw new ChainError('other_chain', 'There is no such block.');
  return { genesisHash: genesis.hash, contract: contractAddress, block: block.number, blockHash: block.hash };
}
