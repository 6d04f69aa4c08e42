import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpWebhook } from '../../src/adapters/webhook/http.js';
import type { Target } from '../../src/adapters/webhook/memory.js';
import { describeWebhook } from './webhook.js';

/** A server under test, with its target; without a target it closes connections. */
interface Served {
  readonly server: Server;
  readonly origin: string;
  target: Target;
}

/** Listens from the start, since another test could take a port that was looked for and closed. */
async function listening(host: string): Promise<Served> {
  const server = createServer((request, response) => void answer(served, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const served: Served = { server, origin: `http://${host}:${port}`, target: async () => 'unreachable' };
  return served;
}

function close({ server }: Served): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer({ origin, target }: Served, request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { method = '', url = '' } = request;
  const reply = await target({ url: `${origin}${url}`, method, headers, body: Buffer.concat(chunks).toString('utf8') });
  if (typeof reply === 'string') response.destroy();
  else response.writeHead(reply.status, { ...reply.headers }).end(reply.body);
}

describeWebhook('http, over sockets', async () => {
  const [one, two, three] = [await listening('127.0.0.1'), await listening('127.0.0.1'), await listening('localhost')];
  return {
    webhook: createHttpWebhook({ allow: [], host: '127.0.0.1', closed: () => [] }),
    origins: [one.origin, two.origin, three.origin],
    nobody: 'http://127.0.0.1:9',
    async serve(origin, target) {
      for (const served of [one, two, three]) if (served.origin === origin) served.target = target;
    },
    async dispose() {
      for (const served of [one, two, three]) await close(served);
    },
  };
});
