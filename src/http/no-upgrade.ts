import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { PendingAnswer } from './answers.js';

/** Whether a request that wants to go on in another protocol wants the one that is spoken here. */
export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.trim().toLowerCase() === 'websocket';
}

/** They say what the connection could become, which it does not. */
const dropped = new Set(['upgrade', 'http2-settings']);

/**
 * Serves a request that would rather go on in a protocol that is not spoken here, as if it had not said so (RFC 9110,
 * 7.8). Java's client asks with each first request whether a server speaks HTTP/2 (`h2c`), and so does
 * `curl --http2`; but Node takes whatever says `Upgrade` out of the server's hands. So the connection is given to the
 * server again, and what was read of it is read once more, without that offer.
 *
 * The server knows nothing then of the answers that it has still to give there, so they are waited for.
 */
export function serveAsItIs(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  { head, pendingOn }: { readonly head: Buffer; readonly pendingOn: PendingAnswer },
): void {
  const { method, url, httpVersion } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...headersWithoutOffer(request), '', ''];
  // The bytes of headers are what Node reads them as, one character for each.
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  giveBackAfter(server, request.socket, pendingOn(socket));
}

/**
 * Waits for the pending answer and for the event loop's next turn: a client that sends thousands of such requests at
 * once holds up nobody else. A socket that is not given back keeps its listener: the error of a connection that was
 * reset comes behind the end of the answer, and one that nobody listens for ends the process.
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

/** The server listens anew, so what it has left from before is taken away: the wait for a next request. */
function giveBack(server: Server, socket: Socket): void {
  socket.setTimeout(0);
  socket.removeAllListeners('timeout');
  server.emit('connection', socket);
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
