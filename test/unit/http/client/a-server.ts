import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a server with this behaviour; returns its URL. */
export async function aServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return urlOf(server);
}

/** Returns the URL of a server that starts to listen. */
export async function urlOf(server: Server): Promise<string> {
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on a port
}
