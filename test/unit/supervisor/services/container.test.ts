import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { startContainer } from '../../../../src/supervisor/services/container.js';

/** An engine that has no containers and refuses to create one. Resolves with its port and the requested containers. */
async function refusingEngine() {
  const requested: unknown[] = [];
  const server = createServer((request, response) => {
    const isCreation = request.method === 'POST';
    response.writeHead(isCreation ? 500 : 200, { 'content-type': 'application/json' });
    void text(request).then((body) => {
      if (isCreation) requested.push(JSON.parse(body));
      response.end(isCreation ? '{"message":"no"}' : '[]');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requested };
}

it('passes the file of authorities only to a container that mounts it', async () => {
  const { port, requested } = await refusingEngine();
  const start = (paths: readonly string[]) =>
    startContainer({
      service: 'alice',
      stack: 'dev',
      spec: {
        image: 'i',
        command: [],
        user: '0:0',
        ports: [],
        mounts: paths.map((path) => ({ path, isReadOnly: true })),
      },
      plan: { engine: { host: '127.0.0.1', port }, prefix: 'p', network: 'host' },
      environment: { TZ: 'UTC', NODE_EXTRA_CA_CERTS: '/own.pem' },
      onMessage: () => undefined,
      onLine: () => undefined,
    });
  await expect(start([])).rejects.toThrow();
  await expect(start(['/own.pem'])).rejects.toThrow();
  expect(requested).toMatchObject([
    { Env: ['TZ=UTC', 'PARLEY_REPORTS=stdout'] },
    { Env: ['TZ=UTC', 'NODE_EXTRA_CA_CERTS=/own.pem', 'PARLEY_REPORTS=stdout'] },
  ]);
});
