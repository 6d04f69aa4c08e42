import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { openEngine, removeObjects } from '../../../src/supervisor/engine.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** An engine that is removing its only container: two more requests show it, and a wait gets no answer. */
async function removingEngine(asked: string[]) {
  let looks = 0;
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    asked.push(`${request.method} ${path}`);
    const answer = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (path.endsWith('/wait')) return;
    if (request.method === 'DELETE') answer(409, { message: 'removal is already in progress' });
    else if (path === '/containers/json') answer(200, [{ Id: 'a' }]);
    else if (path === '/containers/a/json') answer(++looks > 2 ? 404 : 200, { Id: 'a' });
    else answer(200, []);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return openEngine({ host: '127.0.0.1', port });
}

it('polls until a container is gone that its engine is removing', async () => {
  const asked: string[] = [];
  await removeObjects(await removingEngine(asked), 'dev');
  expect(asked.filter((each) => each === 'GET /containers/a/json')).toHaveLength(3);
  expect(asked.at(-1)).toBe('GET /networks');
});
