import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { createKuboStore } from '../../../../src/adapters/shared-store/kubo.js';
import type { SharedStore } from '../../../../src/ports/shared-store.js';

const cid = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** The adapter in front of a server that answers as told. */
async function storeBehind(answer: RequestListener, timeoutMs = 10_000): Promise<SharedStore> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return createKuboStore({ apiUrl: url, gatewayUrl: url, timeoutMs });
}

describe('createKuboStore', () => {
  it('takes the name from the last line of the reply', async () => {
    const store = await storeBehind((request, response) => {
      request
        .resume()
        .on('end', () => response.end(`{"Name":"p","Bytes":3}\n{"Name":"p","Hash":"${cid}","Size":"11"}\n`));
    });
    expect(await store.put(Uint8Array.of(1, 2, 3))).toBe(cid);
  });

  it.each([404, 410])('answers not_found at %i', async (status) => {
    const store = await storeBehind((_request, response) => response.writeHead(status).end('gone'));
    await expect(store.get(cid, { maxBytes: 10 })).rejects.toMatchObject({ reason: 'not_found' });
  });

  it.each([403, 429, 500, 503, 504, 507])('answers later at %i', async (status) => {
    const store = await storeBehind((_request, response) => response.writeHead(status).end('no'));
    await expect(store.get(cid, { maxBytes: 10 })).rejects.toMatchObject({ reason: 'later' });
    await expect(store.put(Uint8Array.of(1))).rejects.toMatchObject({ reason: 'later' });
  });

  it.each(['', 'nonsense', '{"Name":"p","Hash":"../../x"}', '{"Hash":""}'])(
    'answers later when what was put got no name: %j',
    async (reply) => {
      const store = await storeBehind((request, response) => {
        request.resume().on('end', () => response.end(reply));
      });
      await expect(store.put(Uint8Array.of(1))).rejects.toMatchObject({ reason: 'later' });
    },
  );

  it('answers later when the store takes too long, for the head or for the rest', async () => {
    const silent = await storeBehind(() => undefined, 50);
    await expect(silent.get(cid, { maxBytes: 10 })).rejects.toMatchObject({ reason: 'later' });
    const slow = await storeBehind((_request, response) => response.write('a'), 50);
    await expect(slow.get(cid, { maxBytes: 10 })).rejects.toMatchObject({ reason: 'later' });
  });

  it('answers unreachable when nobody is there', async () => {
    const store = createKuboStore({ apiUrl: 'http://127.0.0.1:1', gatewayUrl: 'http://127.0.0.1:1' });
    await expect(store.get(cid, { maxBytes: 10 })).rejects.toMatchObject({ reason: 'unreachable' });
    await expect(store.put(Uint8Array.of(1))).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('gives no part of a content for the whole when the connection breaks', async () => {
    const store = await storeBehind((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('only this', () => response.destroy());
    });
    await expect(store.get(cid, { maxBytes: 1_000 })).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('stops reading at the limit, whether the size was told or not', async () => {
    const told = await storeBehind((_request, response) =>
      response.writeHead(200, { 'content-length': 11 }).write('x'),
    );
    await expect(told.get(cid, { maxBytes: 10 })).rejects.toMatchObject({ reason: 'too_large' });
    const endless = await storeBehind((_request, response) => {
      const go = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) continue;
        response.once('drain', go);
      };
      go();
    });
    await expect(endless.get(cid, { maxBytes: 1_000_000 })).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('stops with the reason of the caller’s signal', async () => {
    const controller = new AbortController();
    const store = await storeBehind(() => controller.abort(new Error('stopping')));
    await expect(store.get(cid, { maxBytes: 10, signal: controller.signal })).rejects.toThrow('stopping');
  });
});
