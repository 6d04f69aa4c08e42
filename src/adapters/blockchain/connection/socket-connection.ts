import { WebSocket } from 'ws';
import { ChainError } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Connection } from './connection.js';
import { pollHeads } from './poll-heads.js';
import { type RpcAnswer, RpcError } from './rpc-error.js';

const openTimeoutMs = 5_000;
const requestTimeoutMs = 20_000;
const maxAnswerBytes = 268_435_456;
/** More than a node has in flight: 65 calls per key, and one reader. */
const maxPending = 1_000;

interface Pending {
  readonly method: string;
  readonly sentAtMs: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Opens a connection to `ws://` or `wss://`. `authorization` is the header that the server requires, if any. Rejects
 * with ChainError `unreachable`.
 */
export async function openSocketConnection(url: string, clock: Clock, authorization?: string): Promise<Connection> {
  const headers = authorization === undefined ? {} : { authorization };
  const socket = new WebSocket(url, { headers, maxPayload: maxAnswerBytes });
  const connection = createConnection(socket, clock);
  await opened(socket, connection, clock);
  return connection;
}

function createConnection(socket: WebSocket, clock: Clock): Connection {
  const ended = new AbortController();
  const pending = new Map<number, Pending>();
  const listeners = new Map<string, (head: unknown) => void>();
  let lastId = 0;
  let isWatched = false;

  function close(reason: string): void {
    if (ended.signal.aborted) return;
    ended.abort();
    socket.terminate();
    for (const { reject } of pending.values()) reject(unreachable(reason));
    pending.clear();
  }

  function send<T>(method: string, parameters: readonly unknown[], read: (result: unknown) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (ended.signal.aborted) return reject(unreachable('The connection to the chain is closed.'));
      if (pending.size >= maxPending) return reject(unreachable('Too many requests to the chain are in flight.'));
      lastId += 1;
      const settle = (result: unknown): void => resolve(read(result));
      pending.set(lastId, { method, sentAtMs: clock.monotonicMs(), resolve: settle, reject });
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params: parameters }));
      void watchAnswers();
    });
  }

  async function watchAnswers(): Promise<void> {
    if (isWatched) return;
    isWatched = true;
    await awaitAnswers(pending, ended.signal, clock, close);
    isWatched = false;
  }

  socket.onmessage = ({ data }) => {
    try {
      // Text frames arrive as strings, and servers send no other frames.
      receive(typeof data === 'string' ? data : '', pending, listeners);
    } catch (error) {
      // No caller can be notified, and later messages on this connection cannot be trusted.
      close(`The chain sent something that cannot be read: ${String(error)}`);
    }
  };
  socket.onclose = () => close('The connection to the chain was lost.');
  const request: Connection['request'] = (method, parameters) => send(method, parameters, (result) => result);
  // The listener is registered before the next message is processed: the first head may follow the response directly.
  const subscribe = (listener: (head: unknown) => void): Promise<string> =>
    send('eth_subscribe', ['newHeads'], (result) => {
      listeners.set(String(result), listener);
      return String(result);
    });
  return {
    request,
    async subscribeHeads(listener) {
      try {
        const subscription = await subscribe(listener);
        return async () => {
          listeners.delete(subscription);
          await request('eth_unsubscribe', [subscription]);
        };
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return pollHeads({ request, listener, clock, closed: ended.signal, close });
      }
    },
    closed: ended.signal,
    close,
  };
}

/** Dispatches a message. Throws the errors of listeners, and SyntaxError or TypeError for invalid JSON-RPC. */
function receive(
  text: string,
  pending: Map<number, Pending>,
  listeners: ReadonlyMap<string, (head: unknown) => void>,
): void {
  // Each member is checked where it is used; a value that is not an object has none and throws.
  const { id, result, error, params } = JSON.parse(text) as Message;
  if (id === undefined || id === null) return listeners.get(params?.subscription ?? '')?.(params?.result);
  const asked = pending.get(id);
  pending.delete(id);
  if (error !== undefined && error !== null) return asked?.reject(RpcError.of(asked.method, error));
  if (result !== undefined) return asked?.resolve(result);
  asked?.reject(unreachable(`The chain answered ${asked.method} with neither a result nor an error.`));
}

/** Detects a dead server by a missing response. It costs nothing while no response is due. */
async function awaitAnswers(
  pending: ReadonlyMap<number, Pending>,
  ended: AbortSignal,
  clock: Clock,
  close: (reason: string) => void,
): Promise<void> {
  do {
    await clock.sleep(requestTimeoutMs / 4, ended);
    const [oldest] = pending.values();
    if (oldest !== undefined && clock.monotonicMs() - oldest.sentAtMs >= requestTimeoutMs) {
      close(`The chain did not answer ${oldest.method} within ${requestTimeoutMs} ms.`);
    }
  } while (pending.size > 0);
}

/** Resolves when the socket is open; rejects if it cannot be opened. */
async function opened(socket: WebSocket, { closed, close }: Connection, clock: Clock): Promise<void> {
  let failure = `no answer within ${openTimeoutMs} ms`;
  const timer = new AbortController();
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.onopen = () => resolve(true);
    socket.onerror = ({ message }) => {
      failure = message;
      resolve(false);
    };
    closed.addEventListener('abort', () => resolve(false));
    void clock.sleep(openTimeoutMs, timer.signal).then(() => resolve(false));
  });
  timer.abort();
  if (isOpen) return;
  close('not opened');
  throw unreachable(`The chain cannot be reached: ${failure}.`);
}

function unreachable(sentence: string): ChainError {
  return new ChainError('unreachable', sentence);
}

interface Message extends Omit<RpcAnswer, 'id'> {
  readonly id?: number | null;
  readonly params?: { readonly subscription?: string; readonly result?: unknown };
}
