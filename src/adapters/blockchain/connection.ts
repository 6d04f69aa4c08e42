import { WebSocketProvider } from 'ethers';
import { ChainError } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';

const openTimeoutMs = 5_000;
const requestTimeoutMs = 20_000;
/** More than a node ever has in flight: 16 calls per key and one reader. */
const maxPending = 1_000;

/** The server responded with an error. */
export class RpcError extends Error {
  constructor(
    readonly method: string,
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
    this.name = 'RpcError';
  }
}

/** One WebSocket to a chain. It is never repaired: once it has closed, a new one must be opened. */
export interface Connection {
  /** Calls a JSON-RPC method. Rejects with RpcError, or with ChainError `unreachable` without a response. */
  request(method: string, parameters: readonly unknown[]): Promise<unknown>;

  /** Calls the listener for every new head from now on. Resolves with the subscription's id. */
  subscribeHeads(listener: (head: unknown) => void): Promise<string>;

  /** Ends a subscription. Rejects as `request` does. */
  unsubscribe(subscription: string): Promise<void>;

  /** Aborts when the connection has ended, for any reason. */
  readonly closed: AbortSignal;

  close(reason: string): void;
}

/** The part of ethers' socket that is used. */
interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
  send(text: string): void;
  terminate(): void;
}

interface Pending {
  readonly method: string;
  readonly sentAtMs: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Opens a connection to `ws://` or `wss://`, with a token if required. Rejects with ChainError `unreachable`. */
export async function openConnection(url: string, clock: Clock, token?: string): Promise<Connection> {
  const socket = createSocket(token === undefined ? url : withToken(url, token));
  const connection = createConnection(socket, clock);
  await opened(socket, connection, clock);
  return connection;
}

function createConnection(socket: Socket, clock: Clock): Connection {
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
      receive(String(data), pending, listeners);
    } catch (error) {
      // There is no caller to notify, and later messages on this connection cannot be trusted.
      close(`The chain sent something that cannot be read: ${String(error)}`);
    }
  };
  socket.onclose = () => close('The connection to the chain was lost.');
  return {
    request: (method, parameters) => send(method, parameters, (result) => result),
    // The listener is registered before the next message is processed: the first head may follow the response directly.
    subscribeHeads: (listener) =>
      send('eth_subscribe', ['newHeads'], (result) => {
        listeners.set(String(result), listener);
        return String(result);
      }),
    async unsubscribe(subscription) {
      listeners.delete(subscription);
      await send('eth_unsubscribe', [subscription], () => undefined);
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
  if (error === undefined) return asked?.resolve(result);
  asked?.reject(new RpcError(asked.method, Number(error.code), String(error.message), error.data));
}

/** Detects a dead server by a missing response. It costs nothing while none is due. */
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

/** Puts the token into the URL: the socket sends the part before the host as Basic authentication, never in the URL. */
function withToken(url: string, token: string): string {
  const full = new URL(url);
  full.username = serviceName;
  full.password = token;
  return full.href;
}

/** The user name with which a stack's chain accepts its token. */
const serviceName = 'chain';

/**
 * Uses only the socket of ethers' provider: the provider does not reconnect subscriptions, and its requests outlive a
 * dead socket. The network number is not used.
 */
function createSocket(url: string): Socket {
  const provider = new WebSocketProvider(url, 1, { staticNetwork: true });
  // ethers' type is the browser's WebSocket; in Node.js it is the one of `ws`, which can also be terminated.
  return provider.websocket as unknown as Socket;
}

/** Resolves when the socket is open; rejects if it cannot be opened. */
async function opened(socket: Socket, { closed, close }: Connection, clock: Clock): Promise<void> {
  let failure = `no answer within ${openTimeoutMs} ms`;
  const timer = new AbortController();
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.onopen = () => resolve(true);
    socket.onerror = ({ message }) => {
      failure = message ?? 'error';
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

interface Message {
  readonly id?: number | null;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown };
  readonly params?: { readonly subscription?: string; readonly result?: unknown };
}
