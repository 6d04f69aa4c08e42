import type { Duplex } from 'node:stream';
import { type ClientOptions, WebSocket } from 'ws';
import type { AgentOf } from '../../bench/http.js';
import type { HeadersOf } from '../../client/headers.js';
import type { OpenSocket, Socket, SocketEnd, SocketListener } from '../../client/events/socket.js';

const maxRefusalBytes = 65_536;
const maxFrameBytes = 16 * 1024 * 1024;
/** Timeout of the closing handshake. */
const maxCloseMs = 1_000;

/** Creates the client's `OpenSocket` with Node WebSockets, each node's headers, certificate and present address. */
export function createOpenSocket(
  headersOf: HeadersOf,
  agentOf: AgentOf = () => undefined,
  presentUrl: (url: string) => string = (url) => url,
): OpenSocket {
  return (url, listener) => open(presentUrl(url), { headers: headersOf(url), agent: agentOf(url) }, listener);
}

/** Opens sockets to nodes without authentication and TLS. */
export const openSocket: OpenSocket = createOpenSocket(() => ({}));

function open(url: string, access: Pick<ClientOptions, 'headers' | 'agent'>, listener: SocketListener): Socket {
  const socket = new WebSocket(url, { ...access, maxPayload: maxFrameBytes, perMessageDeflate: false });
  let end: SocketEnd | undefined;
  let cork: () => void = () => undefined;
  const finish = (reason: SocketEnd) => {
    if (end !== undefined) return;
    end = reason;
    listener.closed(reason);
  };
  socket.on('upgrade', (response) => {
    cork = createCork(response.socket);
  });
  socket.on('open', () => {
    listener.opened();
  });
  socket.on('message', (data) => {
    listener.received(textOf(data));
  });
  socket.on('error', (error) => {
    finish({ text: error.message });
  });
  socket.on('close', (code, reason) => {
    finish({ text: reason.toString() || `the node closed the connection (${code})` });
  });
  socket.on('unexpected-response', (_, response) => {
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      if (body.length < maxRefusalBytes) body += chunk;
    });
    response.on('close', () => {
      const status = response.statusCode ?? 0;
      finish({ text: `the node answered ${status}`, status, body });
      socket.terminate();
    });
  });
  return {
    send: (text) => {
      if (socket.readyState !== WebSocket.OPEN) return;
      cork();
      socket.send(text);
    },
    close: () => {
      if (socket.readyState === WebSocket.OPEN) {
        socket.close(1000);
        const timer = setTimeout(() => {
          socket.terminate();
        }, maxCloseMs);
        socket.once('close', () => {
          clearTimeout(timer);
        });
      } else if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
    },
  };
}

/** Combines the writes of one turn of the event loop, since a system call costs as much as ten acknowledgements. */
function createCork(stream: Duplex): () => void {
  let isCorked = false;
  return () => {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    process.nextTick(() => {
      isCorked = false;
      stream.uncork();
    });
  };
}

function textOf(data: WebSocket.RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}
