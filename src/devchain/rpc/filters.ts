import { randomBytes } from 'node:crypto';
import type { Block, Chain } from '../engine/chain.js';
import type { TurnEffects } from '../journal/ledger.js';
import { blockNumberOf } from '../log-range.js';
import { matcherOf, withoutEmptyLists } from './log-filter.js';
import { RpcError, rpcCodes } from './rpc-error.js';

/**
 * The filters that clients poll. A filter is a position on the chain, which a poll moves to the head. None survives a
 * restart: clients create theirs again when a poll is answered with `filter not found`.
 */
export interface Filters {
  /** Creates a filter for logs, blocks or accepted transactions, and returns its id. Throws RpcError. */
  addLogs(chain: Chain, criteria: unknown): string;
  addBlocks(chain: Chain): string;
  addTransactions(chain: Chain): string;
  /** Resolves with everything since the previous poll, oldest first, as JSON text. Throws RpcError. */
  changes(chain: Chain, id: unknown): Promise<string>;
  /** Resolves with all logs of a filter for logs, as JSON text. Throws RpcError. */
  logs(chain: Chain, id: unknown): Promise<string>;
  /** Returns false if there is no such filter. */
  remove(id: unknown): boolean;
  /** Records the transactions that a turn has accepted. */
  publish(effects: TurnEffects): void;
}

interface LogFilter {
  readonly kind: 'logs';
  readonly address: unknown;
  readonly topics: unknown;
  readonly from: number;
  readonly to: number;
}

interface Filter {
  readonly subject: LogFilter | { readonly kind: 'blocks' | 'transactions' };
  /** The next block to return; for transactions, the number of the next hash. */
  next: number;
  /** The head at the last poll. If it is no longer on the chain, the filter is removed: its client cannot know. */
  seen: Block;
}

/** Above it, the least recently polled filter is removed: many clients never remove theirs. */
const maxFilters = 1_000;
const maxHashes = 10_000;
/** More blocks are returned by the next poll. */
const maxBlocksPerPoll = 1_000;

export function createFilters(): Filters {
  const filters = new Map<string, Filter>();
  const hashes = createHashes();

  /** The id is random: an id from before a restart must not name another client's filter. */
  function add(subject: Filter['subject'], next: number, seen: Block): string {
    const id = `0x${randomBytes(16).toString('hex')}`;
    filters.set(id, { subject, next, seen });
    const [oldest] = filters.keys();
    if (filters.size > maxFilters && oldest !== undefined) filters.delete(oldest);
    return id;
  }

  async function find(chain: Chain, id: unknown): Promise<Filter> {
    const filter = typeof id === 'string' ? filters.get(id) : undefined;
    if (typeof id !== 'string' || filter === undefined) throw notFound();
    filters.delete(id);
    filters.set(id, filter);
    if (await isOn(chain, filter.seen)) return filter;
    filters.delete(id);
    throw notFound();
  }

  return {
    addLogs(chain, criteria) {
      const subject = logFilterOf(chain, criteria);
      return add(subject, subject.from, chain.head());
    },
    addBlocks: (chain) => add({ kind: 'blocks' }, chain.head().number + 1, chain.head()),
    addTransactions: (chain) => add({ kind: 'transactions' }, hashes.end(), chain.head()),
    async changes(chain, id) {
      const filter = await find(chain, id);
      filter.seen = chain.head();
      switch (filter.subject.kind) {
        case 'logs':
          return newLogs(chain, filter, filter.subject);
        case 'blocks':
          return newBlocks(chain, filter);
        case 'transactions':
          return JSON.stringify(hashes.since(filter));
      }
    },
    async logs(chain, id) {
      const { subject } = await find(chain, id);
      if (subject.kind !== 'logs') throw notFound();
      return logsBetween(chain, subject, subject.from, Math.min(subject.to, chain.head().number));
    },
    remove: (id) => typeof id === 'string' && filters.delete(id),
    publish: ({ accepted }) => hashes.add(accepted),
  };
}

function notFound(): RpcError {
  return new RpcError(rpcCodes.refused, 'filter not found');
}

async function isOn(chain: Chain, { number, hash }: Block): Promise<boolean> {
  const head = chain.head();
  return hash === head.hash || (number < head.number && (await chain.hashOf(number)) === hash);
}

/** Parses the criteria of a filter for logs. Without `fromBlock` it begins after the head. Throws RpcError. */
function logFilterOf(chain: Chain, criteria: unknown): LogFilter {
  matcherOf(criteria);
  const given = { fromBlock: null, toBlock: null, address: null, topics: [], ...withoutEmptyLists(criteria) };
  if ('blockHash' in given) {
    const sentence = 'A filter has fromBlock and toBlock, not blockHash. Use eth_getLogs for the logs of one block.';
    throw new RpcError(rpcCodes.invalidParams, sentence);
  }
  return {
    kind: 'logs',
    address: given.address,
    topics: given.topics,
    from: blockNumberOf('fromBlock', given.fromBlock) ?? chain.head().number + 1,
    to: blockNumberOf('toBlock', given.toBlock) ?? Infinity,
  };
}

async function newLogs(chain: Chain, filter: Filter, subject: LogFilter): Promise<string> {
  const from = filter.next;
  const to = Math.min(subject.to, chain.head().number);
  return advance(filter, Math.max(from, to + 1), () => logsBetween(chain, subject, from, to));
}

/** Moves a filter before a read, so that a concurrent poll does not return the same, and back if the read fails. */
async function advance<T>(filter: Filter, next: number, read: () => Promise<T>): Promise<T> {
  const from = filter.next;
  filter.next = next;
  try {
    return await read();
  } catch (error) {
    filter.next = from;
    throw error;
  }
}

async function logsBetween(chain: Chain, { address, topics }: LogFilter, from: number, to: number): Promise<string> {
  if (from > to) return '[]';
  return chain.ask('eth_getLogs', [{ address, topics, fromBlock: hexOf(from), toBlock: hexOf(to) }]);
}

async function newBlocks(chain: Chain, filter: Filter): Promise<string> {
  const from = filter.next;
  const next = Math.min(chain.head().number + 1, from + maxBlocksPerPoll);
  const numbers = Array.from({ length: next - from }, (_, i) => from + i);
  const hashes = await advance(filter, next, () => Promise.all(numbers.map((number) => chain.hashOf(number))));
  return JSON.stringify(hashes);
}

/** The hashes of the newest accepted transactions, numbered from the start of the process. */
interface Hashes {
  add(accepted: readonly string[]): void;
  /** The number of the next hash. */
  end(): number;
  /** Returns the hashes that a filter has not returned yet. Throws RpcError if some are no longer kept. */
  since(filter: Filter): readonly string[];
}

function createHashes(): Hashes {
  let kept: string[] = [];
  let forgotten = 0;
  const end = (): number => forgotten + kept.length;
  return {
    add(accepted) {
      kept.push(...accepted);
      if (kept.length < 2 * maxHashes) return;
      forgotten += kept.length - maxHashes;
      kept = kept.slice(-maxHashes);
    },
    end,
    since(filter) {
      const from = filter.next;
      filter.next = end();
      if (from < forgotten) throw notFound();
      return kept.slice(from - forgotten);
    },
  };
}

function hexOf(number: number): string {
  return `0x${number.toString(16)}`;
}
