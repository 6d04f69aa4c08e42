import assert from 'node:assert/strict';
import type { Block, Chain } from '../engine/chain.js';
import type { TurnEffects } from '../journal/ledger.js';
import { isLog, type Matches, matcherOf } from './log-filter.js';
import { RpcError, rpcCodes } from './rpc-error.js';

/** Sends a notification, given as JSON text, on one connection. */
export type Notify = (text: string) => void;

export interface Subscriptions {
  /** Subscribes to `newHeads`, `logs` or `newPendingTransactions` and returns the id. Throws RpcError. */
  subscribe(notify: Notify, params: readonly unknown[]): string;
  /** Returns false if this connection has no such subscription. */
  unsubscribe(notify: Notify, id: unknown): boolean;
  /** Removes the subscriptions of a closed connection. */
  forget(notify: Notify): void;
  /** Notifies the subscribers of a turn, in chain order. */
  publish(effects: TurnEffects, chain: Chain): Promise<void>;
}

type Subject =
  { readonly kind: 'newHeads' | 'newPendingTransactions' } | { readonly kind: 'logs'; readonly matches: Matches };
interface Subscription {
  readonly id: string;
  readonly notify: Notify;
  readonly subject: Subject;
}

type SubscriptionTo<Kind> = Subscription & { readonly subject: Extract<Subject, { kind: Kind }> };

const maxPerConnection = 200;

/**
 * Creates the subscriptions. They are served from turns that are on disk, never from the engine, which notifies
 * earlier.
 */
export function createSubscriptions(): Subscriptions {
  const connections = new Map<Notify, Map<string, Subscription>>();
  let lastId = 0;

  function subscribersOf<Kind extends Subject['kind']>(kind: Kind): SubscriptionTo<Kind>[] {
    const isOfKind = (one: Subscription): one is SubscriptionTo<Kind> => one.subject.kind === kind;
    return [...connections.values()].flatMap((own) => [...own.values()].filter(isOfKind));
  }

  async function publishHeads(blocks: readonly Block[], chain: Chain): Promise<void> {
    if (subscribersOf('newHeads').length === 0) return;
    for (const { number } of blocks) {
      const header = headerOf(await chain.ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]));
      for (const { id, notify } of subscribersOf('newHeads')) notify(notification(id, header));
    }
  }

  async function publishLogs(blocks: readonly Block[], chain: Chain): Promise<void> {
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (subscribersOf('logs').length === 0 || first === undefined || last === undefined) return;
    const range = { fromBlock: `0x${first.number.toString(16)}`, toBlock: `0x${last.number.toString(16)}` };
    const logs: unknown = JSON.parse(await chain.ask('eth_getLogs', [range]));
    assert(Array.isArray(logs) && logs.every(isLog), 'the engine answers with logs');
    for (const log of logs) {
      const text = JSON.stringify(log);
      for (const { id, notify, subject } of subscribersOf('logs')) {
        if (subject.matches(log)) notify(notification(id, text));
      }
    }
  }

  return {
    subscribe(notify, params) {
      const own = connections.get(notify) ?? new Map<string, Subscription>();
      if (own.size >= maxPerConnection) {
        throw new RpcError(rpcCodes.limitExceeded, `A connection may have at most ${maxPerConnection} subscriptions.`);
      }
      const subject = subjectOf(params);
      lastId += 1;
      const id = `0x${lastId.toString(16)}`;
      own.set(id, { id, notify, subject });
      connections.set(notify, own);
      return id;
    },
    unsubscribe: (notify, id) => typeof id === 'string' && connections.get(notify)?.delete(id) === true,
    forget: (notify) => void connections.delete(notify),
    async publish({ accepted, blocks }, chain) {
      for (const hash of accepted) {
        for (const { id, notify } of subscribersOf('newPendingTransactions')) notify(notification(id, `"${hash}"`));
      }
      await publishHeads(blocks, chain);
      await publishLogs(blocks, chain);
    },
  };
}

function notification(subscription: string, result: string): string {
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${subscription}","result":${result}}}`;
}

const blockOnlyMembers = new Set(['transactions', 'uncles', 'withdrawals', 'size']);

function headerOf(block: string): string {
  const parsed: unknown = JSON.parse(block);
  assert(typeof parsed === 'object' && parsed !== null, 'a mined block exists');
  return JSON.stringify(Object.fromEntries(Object.entries(parsed).filter(([name]) => !blockOnlyMembers.has(name))));
}

function subjectOf([kind, filter = {}]: readonly unknown[]): Subject {
  if (kind === 'newHeads' || kind === 'newPendingTransactions') return { kind };
  if (kind === 'logs') return { kind, matches: matcherOf(filter) };
  throw new RpcError(rpcCodes.invalidParams, 'Expected a subscription to newHeads, logs or newPendingTransactions.');
}
