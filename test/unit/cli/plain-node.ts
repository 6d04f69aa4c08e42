import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { textOf } from '../../../src/wire/json/json.js';

/** One request as it was received. */
export interface Came {
  readonly method: string;
  /** Below the namespace, such as `messages/1`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly type: string;
  readonly body: Buffer;
}

export interface Reply {
  readonly status?: number;
  /** Bytes and texts are sent unchanged, anything else as JSON. */
  readonly body: unknown;
}

export interface PlainNode {
  readonly url: string;
  readonly came: readonly Came[];
  stop(): Promise<void>;
}

/**
 * Starts a server on loopback that answers like the examples of the interface, to show the requests of the command line
 * and how it handles answers. If `answer` returns undefined the answer is 404.
 */
export async function startPlainNode(answer: (came: Came) => Reply | undefined): Promise<PlainNode> {
  const came: Came[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://node');
      const one: Came = {
        method: request.method ?? '',
        path: url.pathname.replace('/api/v1/namespaces/default/', ''),
        query: url.searchParams,
        type: request.headers['content-type'] ?? '',
        body: Buffer.concat(chunks),
      };
      came.push(one);
      const { status = 200, body } = answer(one) ?? { status: 404, body: { error: 'FF10109: Not found' } };
      const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : textOf(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    came,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
