import type { Log } from '../../ports/log.js';
import { createCallWatch } from './call-watch.js';
import type { Filters } from './filters.js';
import { methods } from './methods.js';
import { errorText, RpcError, rpcCodes } from './rpc-error.js';
import type { Notify, Subscriptions } from './subscriptions.js';
import { createDryRuns } from '../engine/dry-runs.js';
import type { ChainTurns } from '../mining/turn.js';

export interface RpcOptions {
  readonly turns: ChainTurns;
  readonly subscriptions: Subscriptions;
  readonly filters: Filters;
  readonly log: Log;
}

export interface Rpc {
  /**
   * Answers one JSON-RPC 2.0 text, a call or a batch; undefined if it contains only notifications. It never rejects:
   * errors are part of the response. `notify` is given for connections that support subscriptions.
   */
  answer(bytes: Uint8Array, notify?: Notify): Promise<string | undefined>;
  /** Milliseconds for which calls of the engine have waited and none was answered; 0 if none waits. */
  silentMs(): number;
}

interface Call {
  /** JSON text; undefined for a notification, which gets no response. */
  readonly id: string | undefined;
  readonly method: string;
  readonly params: readonly unknown[];
}

const maxDepth = 32;
const maxBatch = 1_000;
const decoder = new TextDecoder('utf-8', { fatal: true });
const bytesOf = { quote: 0x22, backslash: 0x5c, open: [0x5b, 0x7b], close: [0x5d, 0x7d] };

/** Creates the JSON-RPC handler. */
export function createRpcHandler({ turns, subscriptions, filters, log }: RpcOptions): Rpc {
  const subscribe = createSubscribe(turns, subscriptions);
  const dryRuns = createDryRuns();
  const watch = createCallWatch(() => performance.now());

  async function result({ method, params }: Call, notify: Notify | undefined): Promise<string> {
    if (method === 'eth_subscribe' || method === 'eth_unsubscribe') return subscribe(method, params, notify);
    const row = methods.get(method);
    if (row === undefined) throw new RpcError(rpcCodes.methodNotFound, `method not found: ${method.slice(0, 100)}`);
    switch (row.kind) {
      case 'read':
        return watch.during(() => turns.read((chain) => row.answer(chain, params)));
      case 'filter':
        return watch.during(() => turns.read(async (chain) => row.answer(filters, chain, params)));
      case 'dryRun':
        return watch.during(() => dryRuns.run(() => turns.read((chain) => row.answer(chain, params))));
      case 'journalled':
        return JSON.stringify(await watch.during(() => turns.change((ledger) => row.run(ledger, params))));
      case 'local':
        return JSON.stringify(await row.answer(turns, params));
    }
  }

  async function answerOne(item: unknown, notify: Notify | undefined): Promise<string | undefined> {
    let id: string | undefined = idOf(item) ?? 'null';
    let outcome: string;
    try {
      const call = toCall(item);
      id = call.id;
      outcome = `"result":${await result(call, notify)}`;
    } catch (error) {
      outcome = errorText(toRpcError(error));
    }
    return id === undefined ? undefined : responseText(id, outcome);
  }

  function toRpcError(error: unknown): RpcError {
    if (error instanceof RpcError) return error;
    log.error('A call failed unexpectedly', { error });
    return new RpcError(rpcCodes.internal, 'Internal error of the chain; see its log.');
  }

  return {
    silentMs: watch.silentMs,
    async answer(bytes, notify) {
      let request: unknown;
      try {
        request = parse(bytes);
      } catch (error) {
        return responseText('null', errorText(toRpcError(error)));
      }
      if (!Array.isArray(request)) return answerOne(request, notify);
      if (request.length === 0 || request.length > maxBatch) {
        const wrong = new RpcError(
          rpcCodes.invalidRequest,
          `A batch has 1 to ${maxBatch} calls, not ${request.length}.`,
        );
        return responseText('null', errorText(wrong));
      }
      const answers = await Promise.all(request.map((item: unknown) => answerOne(item, notify)));
      const texts = answers.filter((text) => text !== undefined);
      return texts.length === 0 ? undefined : `[${texts.join(',')}]`;
    },
  };
}

/** Handles `eth_subscribe` and `eth_unsubscribe`, which need a connection for notifications. */
function createSubscribe(turns: RpcOptions['turns'], subscriptions: RpcOptions['subscriptions']) {
  return async (method: string, params: readonly unknown[], notify: Notify | undefined): Promise<string> => {
    if (notify === undefined) {
      throw new RpcError(rpcCodes.methodNotFound, `method not found over HTTP: ${method}. Open a WebSocket for it.`);
    }
    // Runs between two turns, so that a subscriber gets all or nothing of a turn, and its id first.
    return turns.read(() => {
      const answer =
        method === 'eth_subscribe'
          ? subscriptions.subscribe(notify, params)
          : subscriptions.unsubscribe(notify, params[0]);
      return Promise.resolve(JSON.stringify(answer));
    });
  };
}

function responseText(id: string, outcome: string): string {
  return `{"jsonrpc":"2.0","id":${id},${outcome}}`;
}

function parse(bytes: Uint8Array): unknown {
  if (depthOf(bytes) > maxDepth) {
    throw new RpcError(rpcCodes.invalidRequest, `A request may nest at most ${maxDepth} levels deep.`);
  }
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new RpcError(rpcCodes.parseError, 'The request is not JSON in UTF-8.');
  }
}

/**
 * The deepest nesting of brackets outside strings, checked before any recursive parsing (docs/architecture.md §12.3).
 */
function depthOf(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (isInString) {
      if (byte === bytesOf.backslash) i += 1;
      else if (byte === bytesOf.quote) isInString = false;
    } else if (byte === bytesOf.quote) isInString = true;
    else if (bytesOf.open.includes(byte)) deepest = Math.max(deepest, (depth += 1));
    else if (bytesOf.close.includes(byte)) depth -= 1;
  }
  return deepest;
}

function toCall(item: unknown): Call {
  const wrong = (what: string): RpcError => new RpcError(rpcCodes.invalidRequest, `Not a JSON-RPC 2.0 call: ${what}.`);
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw wrong('a call is an object');
  if (!('jsonrpc' in item) || item.jsonrpc !== '2.0') throw wrong('"jsonrpc" must be "2.0"');
  if (!('method' in item) || typeof item.method !== 'string') throw wrong('"method" must be a string');
  if ('id' in item && idOf(item) === undefined) throw wrong('"id" must be a string, a number or null');
  const params: unknown = 'params' in item ? (item.params ?? []) : [];
  if (!Array.isArray(params)) throw new RpcError(rpcCodes.invalidParams, '"params" must be an array.');
  return { id: idOf(item), method: item.method, params };
}

/** The id as JSON text; undefined if it is absent or invalid. */
function idOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('id' in item)) return undefined;
  const { id } = item;
  return typeof id === 'string' || typeof id === 'number' || id === null ? JSON.stringify(id) : undefined;
}
