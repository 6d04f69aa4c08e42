import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { PendingAnswer } from '../answers/answers.js';

/** Whether a request with `Upgrade` asks for WebSocket, the only supported protocol. */
export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.trim().toLowerCase() === 'websocket';
}

/** Headers of the upgrade that does not take place. */
const dropped = new Set(['upgrade', 'http2-settings']);

/**
 * Serves a request that offers an unsupported upgrade as if it did not (RFC 9110, 7.8). Java's client offers HTTP/2
 * (`h2c`) with each first request, and so does `curl --http2`; but Node removes every request with `Upgrade` from the
 * server. So the connection is given back to the server, which parses the request again without that header.
 *
 * The server then no longer tracks its pending responses on that connection, so they are awaited first.
 */
export function serveAsItIs(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  { head, pendingOn }: { readonly head: Buffer; readonly pendingOn: PendingAnswer },
): void {
  const { method, url, httpVersion } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...headersWithoutOffer(request), '', ''];
  // Node decodes headers as latin1, one character per byte.
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  giveBackAfter(server, request.socket, pendingOn(socket));
}

/**
 * Waits for the pending response and for the next turn of the event loop, so that a client that sends thousands of such
 * requests at once delays no other. A socket that is not given back keeps its error listener: the error of a reset
 * connection may follow the end of the response, and an unhandled one ends the process.
 */
function giveBackAfter(server: Server, socket: Socket, pending: ServerResponse | undefined): void {
  const destroy = (): void => void socket.destroy();
  socket.on('error', destroy);
  const giveBackLater = (): void => {
    setImmediate(() => {
      if (!socket.writable) {
        socket.destroy();
        return;
      }
      socket.off('error', destroy);
      giveBack(server, socket);
    });
  };
  if (pending === undefined) giveBackLater();
  else pending.once('close', giveBackLater);
}

/** The server adds its listeners again, so the old ones, which wait for the next request, are removed. */
function giveBack(server: Server, socket: Socket): void {
  socket.setTimeout(0);
  socket.removeAllListeners('timeout');
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
}

function headersWithoutOffer({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.flatMap((name, index) => {
    if (index % 2 === 1 || dropped.has(name.toLowerCase())) return [];
    const value = rawHeaders[index + 1] ?? '';
    if (name.toLowerCase() !== 'connection') return [`${name}: ${value}`];
    const kept = value.split(',').filter((token) => !dropped.has(token.trim().toLowerCase()));
    return kept.length === 0 ? [] : [`${name}: ${kept.join(',')}`];
  });
}
