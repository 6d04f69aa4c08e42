import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createHttpClient } from '../../../src/bench/http.js';

/** Starts a server that truncates each answer; returns its URL. */
async function breakingServer(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, close };
}

it('a node that truncates an answer or is gone is no answer, not an error', async () => {
  const http = createHttpClient();
  onTestFinished(() => http.close());
  const { url, close } = await breakingServer();
  await expect(http.get(url)).rejects.toMatchObject({ name: 'UnreachableError', isRefused: false });
  await close();
  await expect(http.exchange(url, { method: 'POST', body: '{}' })).rejects.toMatchObject({
    name: 'UnreachableError',
    request: 'POST ',
    isRefused: true,
  });
});
