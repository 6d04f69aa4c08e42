import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChainProxy } from './proxy.js';

/** The same as `openProxy` for a node that uses HTTP. */
export async function openHttpProxy(target: () => string): Promise<ChainProxy> {
  let repliesToLose = 0;
  const server = createServer((request, response) => {
    const give = async (): Promise<void> => {
      const text = await textOf(request);
      const answer = await fetch(target(), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
      });
      const reply = await answer.text();
      const { method }: { method: string } = JSON.parse(text);
      if (method === 'eth_sendRawTransaction' && repliesToLose > 0) {
        repliesToLose -= 1;
        response.destroy();
      } else {
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(reply);
      }
    };
    // The node sees the connection end.
    give().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // `address()` is a string only for pipes.
  const { port } = server.address() as AddressInfo;
  const cut = (): void => server.closeAllConnections();
  return {
    url: `http://127.0.0.1:${port}`,
    loseReply() {
      repliesToLose += 1;
    },
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
