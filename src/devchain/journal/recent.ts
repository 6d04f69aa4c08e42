import assert from 'node:assert/strict';
import { type EngineLog, isLog, type Matches, matcherOf } from '../rpc/log-filter.js';

/** Calls the engine. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<string>;

/** A cache of the newest blocks and their logs as text: every node requests the same ones, and they never change. */
export interface RecentBlocks {
  /** Adds a mined block, as the engine's JSON text without full transactions. */
  add(number: number, text: string): void;
  /** The cached response to a call; undefined if the engine must be called. */
  answer(method: string, params: readonly unknown[]): Promise<string> | undefined;
}

const maxBlocks = 256;
/** The limit of cached logs: all nodes request a block within moments, so caching more would waste memory. */
const maxLogCharacters = 16 * 1_024 * 1_024;

export function createRecentBlocks(ask: Ask): RecentBlocks {
  const blocks = new Map<number, string>();
  const logs = createRecentLogs(ask);
  return {
    add(number, text) {
      blocks.set(number, text);
      blocks.delete(number - maxBlocks);
      logs.follow(number);
    },
    answer(method, [first, second]) {
      if (method === 'eth_getLogs' && second === undefined) return logs.answer(first);
      if (method !== 'eth_getBlockByNumber' || second !== false) return undefined;
      const text = blocks.get(numberOf(first) ?? -1);
      return text === undefined ? undefined : Promise.resolve(text);
    },
  };
}

interface TextLog extends EngineLog {
  readonly text: string;
}

interface RecentLogs {
  follow(head: number): void;
  answer(filter: unknown): Promise<string> | undefined;
}

function createRecentLogs(ask: Ask): RecentLogs {
  const logsOf = new Map<number, Promise<readonly TextLog[]>>();
  let head = 0;
  let characters = 0;

  /** Queries the logs of the blocks `from` to `to` in one call. */
  function load(from: number, to: number): void {
    const found = readLogs(ask, from, to);
    for (let block = from; block <= to; block += 1) {
      logsOf.set(
        block,
        found.then((byBlock) => byBlock.get(block) ?? []),
      );
    }
    found.then(
      (byBlock) => {
        for (const log of [...byBlock.values()].flat()) characters += log.text.length;
        if (characters > maxLogCharacters) clear();
      },
      // The callers get the error; the next request queries again.
      clear,
    );
  }

  function clear(): void {
    logsOf.clear();
    characters = 0;
  }

  return {
    follow(number) {
      head = number;
      if (logsOf.size > maxBlocks) clear();
    },
    answer(filter) {
      const query = logQueryOf(filter);
      if (query === undefined || query.to > head || query.to - query.from >= maxBlocks) return undefined;
      if (query.from <= head - maxBlocks) return undefined;
      const { from, to, matches } = query;
      const missing = range(from, to).filter((block) => !logsOf.has(block));
      const [first, last] = [missing[0], missing.at(-1)];
      if (first !== undefined && last !== undefined) load(first, last);
      const kept = range(from, to).map((block) => logsOf.get(block) ?? noLogs);
      return Promise.all(kept).then(
        (lists) => `[${lists.flatMap((list) => list.filter(matches).map(({ text }) => text)).join(',')}]`,
        // All logs of these blocks may exceed the size of a response, while the requested ones are few.
        () => ask('eth_getLogs', [filter]),
      );
    },
  };
}

const noLogs: Promise<readonly TextLog[]> = Promise.resolve([]);

async function readLogs(ask: Ask, from: number, to: number): Promise<ReadonlyMap<number, readonly TextLog[]>> {
  const answer: unknown = JSON.parse(await ask('eth_getLogs', [{ fromBlock: hexOf(from), toBlock: hexOf(to) }]));
  assert(Array.isArray(answer) && answer.every(isLog), 'the engine answers with logs');
  const byBlock = new Map<number, TextLog[]>();
  for (const log of answer) {
    const block = 'blockNumber' in log ? numberOf(log.blockNumber) : undefined;
    assert(block !== undefined, 'a log has a block');
    const { address, topics } = log;
    const list = byBlock.get(block) ?? [];
    list.push({ address, topics, text: JSON.stringify(log) });
    byBlock.set(block, list);
  }
  return byBlock;
}

interface LogQuery {
  readonly from: number;
  readonly to: number;
  readonly matches: Matches;
}

const knownMembers = new Set(['address', 'topics', 'fromBlock', 'toBlock']);
const maxTopics = 4;
const maxPlain = 1_000;
const addressDigits = /^0x[0-9a-f]{40}$/i;
const topicDigits = /^0x[0-9a-f]{64}$/i;

/** Parses a filter in its plain form; undefined for any other or invalid form, which is left to the engine. */
function logQueryOf(filter: unknown): LogQuery | undefined {
  if (typeof filter !== 'object' || filter === null) return undefined;
  if (!Object.keys(filter).every((name) => knownMembers.has(name))) return undefined;
  const from = 'fromBlock' in filter ? numberOf(filter.fromBlock) : undefined;
  const to = 'toBlock' in filter ? numberOf(filter.toBlock) : undefined;
  if (from === undefined || to === undefined || from > to) return undefined;
  const given = { address: null, topics: [], ...filter };
  if (!isPlain(given.address, addressDigits) || !Array.isArray(given.topics)) return undefined;
  if (given.topics.length > maxTopics || !given.topics.every((topic) => isPlain(topic, topicDigits))) return undefined;
  return { from, to, matches: matcherOf(given) };
}

function isPlain(given: unknown, digits: RegExp): boolean {
  if (given === null) return true;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const isShort = list.length > 0 && list.length <= maxPlain;
  return isShort && list.every((one) => typeof one === 'string' && digits.test(one));
}

function numberOf(quantity: unknown): number | undefined {
  return typeof quantity === 'string' && /^0x(?:0|[1-9a-f][0-9a-f]{0,12})$/i.test(quantity)
    ? Number(quantity)
    : undefined;
}

function hexOf(number: number): string {
  return `0x${number.toString(16)}`;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
