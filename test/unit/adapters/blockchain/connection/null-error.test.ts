import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { createHttpConnection } from '../../../../../src/adapters/blockchain/connection/http-connection.js';
import { openSocketConnection } from '../../../../../src/adapters/blockchain/connection/socket-connection.js';
import { createSystemClock } from '../../../../../src/adapters/clock/system.js';

const clock = createSystemClock();
let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Starts a server whose answers have both members, as those of JSON-RPC 1.0; returns its port. */
async function serve(): Promise<number> {
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x7', error: null });
  server = createServer((_, response) => response.end(answer)).listen(0, '127.0.0.1');
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', () => socket.send(answer)));
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('an answer over HTTP may have a null error beside its result', async () => {
  const connection = createHttpConnection(`http://127.0.0.1:${await serve()}`, clock);
  expect(await connection.request('eth_chainId', [])).toBe('0x7');
  connection.close('over');
});

test('an answer over a WebSocket may have a null error beside its result', async () => {
  const connection = await openSocketConnection(`ws://127.0.0.1:${await serve()}`, clock);
  expect(await connection.request('eth_chainId', [])).toBe('0x7');
  connection.close('over');
});
