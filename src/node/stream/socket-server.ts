import { WebSocketServer } from 'ws';
import { noSniffing, refuseSocket } from '../../http/answers/raw-refusal.js';
import type { Clock } from '../../ports/clock.js';
import { ServiceError } from '../../wire/errors/error.js';

const maxFrameBytes = 64 * 1024;
/** Time that clients have to respond to the close. */
const maxGoodbyeMs = 2_000;

/** Creates the server that answers handshakes, for sockets that the listener passes on. */
export function createSocketServer(): WebSocketServer {
  // The session responds to pings, so that pongs do not pile up.
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    autoPong: false,
  });
  server.on('headers', (headers) => headers.push(noSniffing.join(': ')));
  server.on('wsClientError', ({ message }, socket) => {
    refuseSocket(socket, notAHandshake(message));
  });
  return server;
}

/** Closes the server once its clients have disconnected, and terminates those that do not respond to the close. */
export async function untilGone(server: WebSocketServer, clock: Clock): Promise<void> {
  const gone = new AbortController();
  const limit = clock.sleep(maxGoodbyeMs, gone.signal).then(() => {
    for (const client of server.clients) client.terminate();
  });
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  gone.abort();
  await limit;
}

/** The refusal of work that begins while the node stops. */
export function stopping(): ServiceError {
  return new ServiceError('stopping', { what: 'The node is stopping' });
}

function notAHandshake(actual: string): ServiceError {
  return new ServiceError('field_type', { field: 'Upgrade', expected: 'a WebSocket handshake', actual });
}
