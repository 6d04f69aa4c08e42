import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { contain } from '../../http/contain.js';
import { noSniffing, refuseSocket } from '../../http/answers/raw-refusal.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { Rpc } from './rpc.js';
import type { Subscriptions } from './subscriptions.js';

export interface Sockets {
  /** Completes a handshake that has passed the gate. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes all connections (1001) and terminates those that do not respond. */
  close(): Promise<void>;
}

export interface SocketsOptions {
  readonly rpc: Rpc;
  readonly subscriptions: Subscriptions;
  readonly maxRequestBytes: number;
}

const maxSockets = 1_000;
const maxCallsInProgress = 1_000;
const maxUnsentBytes = 32 * 1_024 * 1_024;
const pingIntervalMs = 15_000;
const goodbyeMs = 500;

/** Creates JSON-RPC over WebSocket, with subscriptions. */
export function createSockets({ rpc, subscriptions, maxRequestBytes }: SocketsOptions): Sockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxRequestBytes, perMessageDeflate: false });
  server.on('headers', (headers) => headers.push(noSniffing.join(': ')));
  server.on('wsClientError', ({ message }, socket) => {
    refuseSocket(socket, new ServiceError('bad_request', { problem: message }));
  });

  function serve(socket: WebSocket, stream: Duplex): void {
    let inProgress = 0;
    const cork = createCork(stream);
    const send = (text: string): void => {
      if (socket.readyState !== socket.OPEN) return;
      cork();
      // A client that does not read would fill the memory, so it is disconnected. It can query the logs later.
      if (socket.bufferedAmount > maxUnsentBytes) socket.terminate();
      else socket.send(text);
    };
    const answer = async (data: RawData): Promise<void> => {
      inProgress += 1;
      if (inProgress >= maxCallsInProgress) socket.pause();
      const text = await rpc.answer(bytesOf(data), send);
      inProgress -= 1;
      if (socket.isPaused && inProgress < maxCallsInProgress / 2) socket.resume();
      if (text !== undefined) send(text);
    };
    const stopPinging = ping(socket);
    socket.on('message', (data) => {
      contain(
        () => answer(data),
        () => socket.terminate(),
      );
    });
    // An invalid frame closes the socket; ws has answered it.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      stopPinging();
      subscriptions.forget(send);
    });
  }

  return {
    upgrade(request, socket, head) {
      if (request.url !== '/') throw new ServiceError('not_found', { what: `a socket at ${request.url}` });
      if (server.clients.size >= maxSockets)
        throw new ServiceError('stopping', { what: `${maxSockets} sockets are open` });
      server.handleUpgrade(request, socket, head, (opened) => serve(opened, socket));
    },
    async close() {
      const closed = [...server.clients].map(
        (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
      );
      for (const socket of server.clients) socket.close(1001, 'The chain is stopping.');
      const cut = setTimeout(() => {
        for (const socket of server.clients) socket.terminate();
      }, goodbyeMs);
      await Promise.all(closed);
      clearTimeout(cut);
    },
  };
}

/**
 * Returns a function to call before each write, so that all responses and notifications of a turn are sent together: a
 * separate write for each, and a wake-up of the reader, would cost more than producing them.
 */
function createCork(stream: Duplex): () => void {
  let isCorked = false;
  return () => {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    setImmediate(() => {
      isCorked = false;
      stream.uncork();
    });
  };
}

/** Terminates the connection when the client no longer answers pings. Returns the function that stops this. */
function ping(socket: WebSocket): () => void {
  let isAlive = true;
  socket.on('pong', () => (isAlive = true));
  const timer = setInterval(() => {
    if (!isAlive) socket.terminate();
    isAlive = false;
    socket.ping();
  }, pingIntervalMs);
  return () => clearInterval(timer);
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
