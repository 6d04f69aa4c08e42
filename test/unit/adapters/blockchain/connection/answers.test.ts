import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { createHttpConnection } from '../../../../../src/adapters/blockchain/connection/http-connection.js';
import { openSocketConnection } from '../../../../../src/adapters/blockchain/connection/socket-connection.js';
import { createSystemClock } from '../../../../../src/adapters/clock/system.js';

const clock = createSystemClock();
const nullError = JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x7', error: null });
let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Starts a server with one answer, by default with both members, as those of JSON-RPC 1.0; returns its port. */
async function serve({ status = 200, answer = nullError } = {}): Promise<number> {
  server = createServer((_, response) => response.writeHead(status).end(answer)).listen(0, '127.0.0.1');
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

test.each([
  ['a limit of requests in other JSON', 429, '{"message":"Too many requests"}'],
  ['an error that is a text', 429, '{"error":"Too many requests"}'],
  ['a page', 502, '<html><h1>Bad gateway</h1></html>'],
  ['half an answer', 200, '{"jsonrpc":"2.0","id":1,'],
  ['the answer to another request', 200, '{"jsonrpc":"2.0","id":2,"result":"0x7"}'],
  ['the error of another request', 200, '{"jsonrpc":"2.0","id":2,"error":{"code":3,"message":"execution reverted"}}'],
])('over HTTP %s is no answer, and the error has the status', async (_, status, answer) => {
  const connection = createHttpConnection(`http://127.0.0.1:${await serve({ status, answer })}`, clock);
  const request = connection.request('eth_chainId', []);
  await expect(request).rejects.toMatchObject({ reason: 'unreachable' });
  if (status !== 200) await expect(request).rejects.toThrow(String(status));
});

test('an error without an id, which refuses all requests, is an error', async () => {
  const answer = '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"rate limited"}}';
  const connection = createHttpConnection(`http://127.0.0.1:${await serve({ status: 429, answer })}`, clock);
  await expect(connection.request('eth_chainId', [])).rejects.toMatchObject({ code: -32_005, message: 'rate limited' });
  connection.close('over');
});

test('an answer over a WebSocket without result and error is no answer', async () => {
  const answer = '{"jsonrpc":"2.0","id":1}';
  const connection = await openSocketConnection(`ws://127.0.0.1:${await serve({ answer })}`, clock);
  await expect(connection.request('eth_chainId', [])).rejects.toMatchObject({ reason: 'unreachable' });
  connection.close('over');
});

test('the error of a request that ends with another has the reason of the other', async () => {
  const port = await serve({ status: 502, answer: '<html>' });
  const connection = createHttpConnection(`http://127.0.0.1:${port}`, clock);
  const requests = await Promise.allSettled([1, 2, 3].map(() => connection.request('eth_chainId', [])));
  for (const each of requests) expect(each).toMatchObject({ reason: { message: expect.stringContaining('502') } });
});
