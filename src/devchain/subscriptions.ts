import assert from 'node:assert/strict';
import type { Block, Chain } from './chain.js';
import type { Doings } from './ledger.js';
import { RpcError, rpcCodes } from './rpc-error.js';

/** Where the notifications of one connection go: each is a whole JSON text. */
export type Notify = (text: string) => void;

export interface Subscriptions {
  /** The id of a new subscription to `newHeads`, `logs` or `newPendingTransactions`. Throws RpcError. */
  subscribe(notify: Notify, params: readonly unknown[]): string;
  /** False if this connection has no such subscription. */
  unsubscribe(notify: Notify, id: unknown): boolean;
  /** A connection is gone. */
  forget(notify: Notify): void;
  /** Tells the subscribers of a turn, in the order of the chain. */
  publish(doings: Doings, chain: Chain): Promise<void>;
}

type Matches = (log: EngineLog) => boolean;
type Wish =
  { readonly kind: 'newHeads' | 'newPendingTransactions' } | { readonly kind: 'logs'; readonly matches: Matches };
interface Subscription {
  readonly id: string;
  readonly notify: Notify;
  readonly wish: Wish;
}

interface EngineLog {
  readonly address: string;
  readonly topics: readonly string[];
}

const maxPerConnection = 200;
const maxTopics = 4;
const maxAlternatives = 1_000;

/** Subscriptions are served from turns that are on disk, never from the engine, which tells before that. */
export function createSubscriptions(): Subscriptions {
  const connections = new Map<Notify, Map<string, Subscription>>();
  let lastId = 0;

  function of<Kind extends Wish['kind']>(
    kind: Kind,
  ): (Subscription & { readonly wish: Extract<Wish, { kind: Kind }> })[] {
    const isOf = (one: Subscription): one is Subscription & { readonly wish: Extract<Wish, { kind: Kind }> } =>
      one.wish.kind === kind;
    return [...connections.values()].flatMap((own) => [...own.values()].filter(isOf));
  }

  async function publishHeads(blocks: readonly Block[], chain: Chain): Promise<void> {
    if (of('newHeads').length === 0) return;
    for (const { number } of blocks) {
      const header = headerOf(await chain.ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]));
      for (const { id, notify } of of('newHeads')) notify(notification(id, header));
    }
  }

  async function publishLogs(blocks: readonly Block[], chain: Chain): Promise<void> {
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (of('logs').length === 0 || first === undefined || last === undefined) return;
    const range = { fromBlock: `0x${first.number.toString(16)}`, toBlock: `0x${last.number.toString(16)}` };
    const logs: unknown = JSON.parse(await chain.ask('eth_getLogs', [range]));
    assert(Array.isArray(logs) && logs.every(isLog), 'the engine answers with logs');
    for (const log of logs) {
      const text = JSON.stringify(log);
      for (const { id, notify, wish } of of('logs')) if (wish.matches(log)) notify(notification(id, text));
    }
  }

  return {
    subscribe(notify, params) {
      const own = connections.get(notify) ?? new Map<string, Subscription>();
      if (own.size >= maxPerConnection) {
        throw new RpcError(rpcCodes.limitExceeded, `A connection may have at most ${maxPerConnection} subscriptions.`);
      }
      const wish = wishOf(params);
      lastId += 1;
      const id = `0x${lastId.toString(16)}`;
      own.set(id, { id, notify, wish });
      connections.set(notify, own);
      return id;
    },
    unsubscribe: (notify, id) => typeof id === 'string' && connections.get(notify)?.delete(id) === true,
    forget: (notify) => void connections.delete(notify),
    async publish({ accepted, blocks }, chain) {
      for (const hash of accepted) {
        for (const { id, notify } of of('newPendingTransactions')) notify(notification(id, `"${hash}"`));
      }
      await publishHeads(blocks, chain);
      await publishLogs(blocks, chain);
    },
  };
}

function notification(subscription: string, result: string): string {
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${subscription}","result":${result}}}`;
}

const notOfHeader = new Set(['transactions', 'uncles', 'withdrawals', 'size']);

function headerOf(block: string): string {
  const parsed: unknown = JSON.parse(block);
  assert(typeof parsed === 'object' && parsed !== null, 'a block that was made is there');
  return JSON.stringify(Object.fromEntries(Object.entries(parsed).filter(([name]) => !notOfHeader.has(name))));
}

function isLog(value: unknown): value is EngineLog {
  return typeof value === 'object' && value !== null && 'address' in value && 'topics' in value;
}

function wishOf([kind, filter = {}]: readonly unknown[]): Wish {
  if (kind === 'newHeads' || kind === 'newPendingTransactions') return { kind };
  if (kind === 'logs') return { kind, matches: matcherOf(filter) };
  throw new RpcError(rpcCodes.invalidParams, 'One can subscribe to newHeads, logs and newPendingTransactions.');
}

function matcherOf(filter: unknown): Matches {
  if (typeof filter !== 'object' || filter === null) throw badFilter();
  const addresses = alternatives('address' in filter ? filter.address : undefined);
  const given = 'topics' in filter ? (filter.topics ?? []) : [];
  if (!Array.isArray(given) || given.length > maxTopics) throw badFilter();
  const topics = given.map(alternatives);
  return (log) =>
    log.topics.length >= topics.length &&
    (addresses === undefined || addresses.has(log.address.toLowerCase())) &&
    topics.every((allowed, i) => allowed === undefined || allowed.has(log.topics[i] ?? ''));
}

/** One value or several of which one must fit; undefined if all do. */
function alternatives(given: unknown): ReadonlySet<string> | undefined {
  if (given === undefined || given === null) return undefined;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length > maxAlternatives) throw badFilter();
  if (list.length === 0) return undefined;
  return new Set(
    list.map((one) => {
      if (typeof one !== 'string' || !/^0x[0-9a-f]+$/i.test(one)) throw badFilter();
      return one.toLowerCase();
    }),
  );
}

function badFilter(): RpcError {
  return new RpcError(
    rpcCodes.invalidParams,
    'A log filter is {address, topics}: an address or several; ' +
      `at most ${maxTopics} topics, each one value, several, or null.`,
  );
}
