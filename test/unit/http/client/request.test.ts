import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAgents } from '../../../../src/http/client/agents.js';
import { openRequest } from '../../../../src/http/client/request.js';
import { aServer, urlOf } from './a-server.js';
import { discard, readBeginning, readText } from '../../../../src/http/client/response.js';

const echo: RequestListener = (request, response) => void request.pipe(response);

/** An endless stream of the same chunk, and the number of chunks that were read. */
function endless() {
  const taken = { chunks: 0, isOver: false };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        taken.chunks++;
        yield Buffer.alloc(65_536);
      }
    } finally {
      taken.isOver = true;
    }
  }
  return { taken, body: chunks() };
}

describe('A request', () => {
  test('sends a body of each kind, with its size if it is known', async () => {
    const url = await aServer((request, response) => {
      response.setHeader('x-size', request.headers['content-length'] ?? 'unknown');
      request.pipe(response);
    });
    async function* stream(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('ü');
      yield Buffer.from('n');
    }
    for (const [body, size] of [
      ['ün', '3'],
      [Buffer.from('ün'), '3'],
      [stream(), 'unknown'],
    ] as const) {
      const response = await openRequest({ url, method: 'POST', body });
      expect([response.headers['x-size'], await readText(response, 3)]).toEqual([size, 'ün']);
    }
  });

  test.each(['GET', 'DELETE', 'OPTIONS', 'POST'])(
    '%s says where its body ends, so that no next request begins with it',
    async (method) => {
      const ports = new Set<number | undefined>();
      const url = await aServer((request, response) => {
        ports.add(request.socket.remotePort);
        request.pipe(response);
      });
      const agents = createAgents();
      onTestFinished(() => agents.close());
      async function* stream(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('{}');
      }
      for (const body of ['{}', Buffer.from('{}'), stream()]) {
        const response = await openRequest({ url, method, body, agents });
        expect(await readText(response, 10)).toBe('{}');
      }
      const given = await openRequest({ url, method, body: '{}', agents, headers: { 'Content-Length': 2 } });
      expect(await readText(given, 10)).toBe('{}');
      expect(ports.size).toBe(1);
    },
  );

  test('without a body has no headers about one', async () => {
    const url = await aServer(({ headers }, response) => {
      response.end([headers['content-length'], headers['transfer-encoding']].join());
    });
    for (const body of [undefined, '']) expect(await readText(await openRequest({ url, body }), 10)).toBe(',');
  });

  test('goes to a Unix socket', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-http-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const socketPath = join(folder, 'socket');
    const server = createServer((request, response) => response.end(request.url)).listen(socketPath);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const response = await openRequest({ url: 'http://localhost/health', socketPath });
    expect(await readText(response, 100)).toBe('/health');
  });

  test('sends no credentials from its URL', async () => {
    const url = await aServer((request, response) => response.end(request.headers.authorization ?? 'none'));
    const response = await openRequest({ url: url.replace('//', '//user:secret@') });
    expect(await readText(response, 100)).toBe('none');
  });

  test('follows no redirect', async () => {
    const url = await aServer((_, response) => response.writeHead(302, { location: '/elsewhere' }).end());
    expect(await openRequest({ url })).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
  });

  test('stops reading its body when there is a response', async () => {
    const url = await aServer((_, response) => response.writeHead(413).end('too much'));
    const { body, taken } = endless();
    const response = await openRequest({ url, method: 'POST', body });
    expect([response.status, await readText(response, 100)]).toEqual([413, 'too much']);
    await expect.poll(() => taken.isOver).toBe(true);
  });

  test('fails with the error of a body that cannot be read', async () => {
    const url = await aServer(echo);

    async function* failing(): AsyncGenerator<Uint8Array> {
      throw new Error('no such file');
    }
    const sent = openRequest({ url, method: 'POST', body: failing() });
    await expect(sent).rejects.toMatchObject({ name: 'BodyError', cause: { message: 'no such file' } });
  });

  test('reuses a kept connection after its response was read, discarded or closed at its end', async () => {
    const ports = new Set<number | undefined>();
    const url = await aServer(({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end('some text');
    });
    const agents = createAgents();
    onTestFinished(() => agents.close());
    await (await openRequest({ url, agents })).collect(100);
    await discard(await openRequest({ url, agents }));
    await readBeginning(await openRequest({ url, agents }), 100);
    expect(ports.size).toBe(1);
  });
});

describe('A request ends', () => {
  test('if there is no server, with the code of the system', async () => {
    const server = createSocketServer().listen(0, '127.0.0.1');
    const url = await urlOf(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(openRequest({ url })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test.each(['totalMs', 'idleMs'] as const)('at its limit %s, before the response and within it', async (limit) => {
    const limits = { [limit]: 50 };
    const timeout = { name: 'TimeoutError', limit };
    const silent = await aServer(() => undefined);
    await expect(openRequest({ url: silent, limits })).rejects.toMatchObject(timeout);
    const agents = createAgents();
    onTestFinished(() => agents.close());
    await expect(openRequest({ url: silent, agents, limits })).rejects.toMatchObject(timeout);
    const stalled = await aServer((_, response) => void response.write('some'));
    const response = await openRequest({ url: stalled, limits });
    await expect(readText(response, 100)).rejects.toMatchObject(timeout);
  });

  test('at the limit of its total time, even if data keeps arriving', async () => {
    const url = await aServer(echo);
    const { body, taken } = endless();
    const exchange = async () => {
      const response = await openRequest({ url, method: 'POST', body, limits: { totalMs: 200 } });
      await discardLoudly(response.body);
    };
    await expect(exchange()).rejects.toMatchObject({ limit: 'totalMs' });
    await expect.poll(() => taken.isOver).toBe(true);
  });

  test('when its signal is aborted, with its reason', async () => {
    const url = await aServer((_, response) => void response.write('some'));
    const ending = new AbortController();
    const response = await openRequest({ url, signal: ending.signal });
    const read = readText(response, 100);
    ending.abort(new Error('stopping'));
    await expect(read).rejects.toThrow('stopping');
    await expect(openRequest({ url, signal: ending.signal })).rejects.toThrow('stopping');
  });

  test('with an error when its response is truncated', async () => {
    const url = await aServer((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('some', () => response.destroy());
    });
    await expect(readText(await openRequest({ url }), 100)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('at the maximum size of its response, declared or not', async () => {
    const told = await aServer((_, response) => response.end('0123456789'));
    await expect(readText(await openRequest({ url: told }), 9)).rejects.toMatchObject({ maxBytes: 9 });
    const untold = await aServer(echo);
    const { body } = endless();
    const response = await openRequest({ url: untold, method: 'POST', body });
    await expect(response.collect(1_000_000)).rejects.toMatchObject({ maxBytes: 1_000_000 });
  });

  test('after the beginning of a body, if no more is needed', async () => {
    const closed: boolean[] = [];
    const url = await aServer((_, response) => {
      response.once('close', () => closed.push(true));
      response.write('0123456789');
    });
    expect(await readBeginning(await openRequest({ url }), 4)).toBe('0123');
    await expect.poll(() => closed).toEqual([true]);
  });
});

async function discardLoudly(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of body) void chunk;
}
