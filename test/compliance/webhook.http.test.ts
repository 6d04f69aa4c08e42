import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpWebhook } from '../../src/adapters/webhook/http.js';
import type { Target } from '../../src/adapters/webhook/memory.js';
import { describeWebhook } from './webhook.js';

/** A port of loopback that somebody had and nobody has now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  await close(server);
  return port;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(origin: string, target: Target, request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { method = '', url = '' } = request;
  const reply = await target({ url: `${origin}${url}`, method, headers, body: Buffer.concat(chunks).toString('utf8') });
  if (typeof reply === 'string') response.destroy();
  else response.writeHead(reply.status, { ...reply.headers }).end(reply.body);
}

describeWebhook('http, over sockets', async () => {
  const [one, two, three] = [await freePort(), await freePort(), await freePort()];
  const servers = new Map<string, { server: Server; target: Target }>();
  return {
    webhook: createHttpWebhook({ allow: [], host: '127.0.0.1', closed: () => [] }),
    origins: [`http://127.0.0.1:${one}`, `http://127.0.0.1:${two}`, `http://localhost:${three}`],
    async serve(origin, target) {
      const known = servers.get(origin);
      if (known !== undefined) {
        known.target = target;
        return;
      }
      const entry = {
        target,
        server: createServer((request, response) => void answer(origin, entry.target, request, response)),
      };
      servers.set(origin, entry);
      await listen(entry.server, Number(new URL(origin).port));
    },
    async dispose() {
      for (const { server } of servers.values()) await close(server);
    },
  };
});
