import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { Readable } from 'node:stream';
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

/** Returns the adapter for a server with this behaviour. */
async function storeBehind(answer: RequestListener, timeoutMs = 10_000): Promise<SharedStore> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return createKuboStore({ apiUrl: url, gatewayUrl: url, timeoutMs, idleMs: timeoutMs });
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

  it('gives everything that determines a name in every request', async () => {
    const asked: URLSearchParams[] = [];
    const store = await storeBehind((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://h').searchParams);
      request.resume().on('end', () => response.end(`{"Name":"p","Hash":"${cid}","Size":"11"}\n`));
    });
    await store.put(Uint8Array.of(1));
    await store.putStream(
      (async function* () {
        yield Uint8Array.of(1);
      })(),
    );
    const named = { 'cid-version': '0', 'raw-leaves': 'false', chunker: 'size-262144', hash: 'sha2-256' };
    const all = { ...named, trickle: 'false', inline: 'false', 'max-file-links': '174', pin: 'true' };
    expect(asked.map((each) => Object.fromEntries(each))).toMatchObject([all, all]);
  });

  it('says that the disk of the store is full, in the same words at every attempt', async () => {
    let attempts = 0;
    const store = await storeBehind((request, response) => {
      const text = `{"Message":"write /ipfs/temp-${attempts++}: no space left on device","Code":0,"Type":"error"}`;
      request.resume().on('end', () => response.writeHead(500).end(text));
    });
    for (const put of [() => store.put(Uint8Array.of(1)), () => store.putStream(Readable.from([Uint8Array.of(1)]))]) {
      await expect(put()).rejects.toThrow(/^The shared store answered 500: its disk is full\.$/);
    }
  });

  it.each([
    ['127.0.0.1', 'Bearer secret'],
    ['localhost', undefined],
  ])('tells its credentials to a gateway on its own host only: %s', async (host, expected) => {
    const heard: (string | undefined)[] = [];
    const server = createServer(({ headers }, response) => {
      heard.push(headers.authorization);
      response.end('x');
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const options = { apiUrl: 'http://127.0.0.1:5001', gatewayUrl: `http://${host}:${port}` };
    const store = createKuboStore({ ...options, authorization: 'Bearer secret' });
    await store.get(cid, { maxBytes: 10 });
    for await (const bytes of store.getStream(cid, { maxBytes: 10, start: 0 })) expect(bytes).toHaveLength(1);
    expect(heard).toEqual([expected, expected]);
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

  it.each(['', 'nonsense', '{"Name":"p","Hash":"../../x"}', '{"Hash":""}', '{"Hash":"a"}\n{"Bytes":3}'])(
    'answers later when what was put got no name: %j',
    async (reply) => {
      const store = await storeBehind((request, response) => {
        request.resume().on('end', () => response.end(reply));
      });
      await expect(store.put(Uint8Array.of(1))).rejects.toMatchObject({ reason: 'later' });
    },
  );

  it('answers later if the store takes too long, for the head or for the rest', async () => {
    const silent = await storeBehind(() => undefined, 50);
    await expect(silent.get(cid, { maxBytes: 10 })).rejects.toMatchObject({ reason: 'later' });
    const slow = await storeBehind((_request, response) => response.write('a'), 50);
    await expect(slow.get(cid, { maxBytes: 10 })).rejects.toMatchObject({ reason: 'later' });
  });

  it('answers unreachable if there is no server', async () => {
    const store = createKuboStore({ apiUrl: 'http://127.0.0.1:1', gatewayUrl: 'http://127.0.0.1:1' });
    await expect(store.get(cid, { maxBytes: 10 })).rejects.toMatchObject({ reason: 'unreachable' });
    await expect(store.put(Uint8Array.of(1))).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('never returns part of a content as the whole when the connection breaks', async () => {
    const store = await storeBehind((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('only this', () => response.destroy());
    });
    await expect(store.get(cid, { maxBytes: 1_000 })).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('stops reading at the limit, with or without a declared size', async () => {
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

  it('skips to the start itself if a gateway does not support ranges', async () => {
    const store = await storeBehind((_request, response) => response.end('0123456789'));
    expect((await collect(store.getStream(cid, { maxBytes: 10, start: 4 }))).toString()).toBe('456789');
  });

  it('accepts only the requested range', async () => {
    const store = await storeBehind((_request, response) =>
      response.writeHead(206, { 'content-range': 'bytes 0-9/10' }).end('0123456789'),
    );
    const stream = collect(store.getStream(cid, { maxBytes: 10, start: 4 }));
    await expect(stream).rejects.toMatchObject({ reason: 'later' });
  });

  it.each([403, 500, 503, 507])('answers later at %i to a stream in either direction', async (status) => {
    const store = await storeBehind((_request, response) => response.writeHead(status).end('no'));
    const stream = collect(store.getStream(cid, { maxBytes: 10, start: 0 }));
    await expect(stream).rejects.toMatchObject({ reason: 'later' });
    await expect(store.putStream(endless())).rejects.toMatchObject({ reason: 'later' });
  });

  it('never returns a stream that breaks or stalls as a whole one', async () => {
    const broken = await storeBehind((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('only this', () => response.destroy());
    });
    const cut = collect(broken.getStream(cid, { maxBytes: 1_000, start: 0 }));
    await expect(cut).rejects.toMatchObject({ reason: 'unreachable' });
    const stalled = await storeBehind((_request, response) => response.write('a'), 50);
    const late = collect(stalled.getStream(cid, { maxBytes: 1_000, start: 0 }));
    await expect(late).rejects.toMatchObject({ reason: 'later' });
    await expect(stalled.putStream(endless())).rejects.toMatchObject({ reason: 'later' });
  });

  it('answers unreachable to streams if there is no server', async () => {
    const store = createKuboStore({ apiUrl: 'http://127.0.0.1:1', gatewayUrl: 'http://127.0.0.1:1' });
    const stream = collect(store.getStream(cid, { maxBytes: 10, start: 0 }));
    await expect(stream).rejects.toMatchObject({ reason: 'unreachable' });
    await expect(store.putStream(endless())).rejects.toMatchObject({ reason: 'unreachable' });
  });
});

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(65_536);
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const collected: Uint8Array[] = [];
  for await (const chunk of chunks) collected.push(chunk);
  return Buffer.concat(collected);
}
