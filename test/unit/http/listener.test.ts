import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { Middleware } from 'koa';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { type Listener, openListener } from '../../../src/http/listener.js';
import { DamagedDatabase } from '../../../src/wire/errors/disk.js';
import { ServiceError } from '../../../src/wire/errors/error.js';
import { bodyText, rawRequest, requestText } from './raw-request.js';

const opened: Listener[] = [];

async function open(middleware: Middleware, port = 0, host = '127.0.0.1'): Promise<Listener> {
  const rules = { hosts: [], origins: [], contentTypes: () => ['application/json'] };
  const listener = await openListener({ host, port, rules, middleware: [middleware], log: createSilentLog() });
  opened.push(listener);
  return listener;
}

afterEach(async () => {
  for (const listener of opened.splice(0)) await listener.close(0);
});

describe('openListener', () => {
  it('answers on a free port and reports its URL', async () => {
    const listener = await open((ctx) => {
      ctx.body = { ok: true };
    });
    expect(listener.url).toBe(`http://127.0.0.1:${listener.port}`);
    expect(await (await fetch(`${listener.url}/a`)).json()).toEqual({ ok: true });
  });

  it.each(['0.0.0.0', '::', '192.168.0.1', 'example.org', ''])('refuses to listen on %j', async (host) => {
    await expect(open(() => undefined, 0, host)).rejects.toThrow('Refusing to listen');
  });

  it('listens anywhere in a network whose members are all trusted', async () => {
    const rules = { hosts: [], origins: [], contentTypes: () => [] };
    const trusted = { host: '0.0.0.0', port: 0, rules, middleware: [], trustedNetwork: true };
    const listener = await openListener({ ...trusted, log: createSilentLog() });
    expect(listener.url).toBe(`http://127.0.0.1:${listener.port}`);
    await listener.close(0);
  });

  it('reports that the port is taken', async () => {
    const holder = createServer();
    holder.listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(open(() => undefined, port)).rejects.toMatchObject({ cause: { code: 'EADDRINUSE' } });
    holder.close();
  });

  it('refuses a handshake if no sockets are served', async () => {
    const { port } = await open(() => undefined);
    const headers = [`Host: 127.0.0.1:${port}`, 'Connection: Upgrade', 'Upgrade: websocket', '', ''];
    const answer = await rawRequest(port, ['GET /ws HTTP/1.1', ...headers].join('\r\n'));
    expect(answer.status).toBe(404);
    expect(answer.body).toMatch(/FF10109/);
  });

  it.each([
    ['h2c', 'Upgrade, HTTP2-Settings'],
    ['TLS/1.0', 'close, upgrade'],
  ])('answers a request that may go on as %s as if it had not said so, its body included', async (protocol, tokens) => {
    const { port, url } = await open(async (ctx) => {
      const chunks: Buffer[] = await ctx.req.toArray();
      ctx.body = [ctx.method, ctx.url, ctx.get('upgrade'), ctx.get('x-own'), Buffer.concat(chunks).toString()].join(
        ' ',
      );
    });
    const headers = [`Host: 127.0.0.1:${port}`, `Upgrade: ${protocol}`, 'HTTP2-Settings: AAMAAABkAAQAAP__', 'X-Own: ü'];
    const rest = [`Connection: ${tokens}`, 'Content-Type: application/json', 'Content-Length: 4', '', '"ab"'];
    const next = requestText('GET', '/next', [`Host: 127.0.0.1:${port}`]);
    const isLast = tokens.includes('close');
    const text = ['POST /a?b HTTP/1.1', ...headers, ...rest].join('\r\n') + (isLast ? '' : next);
    const answer = await rawRequest(port, text);
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('POST /a?b  Ã¼ "ab"');
    expect(answer.body.includes('GET /next')).toBe(!isLast);
    expect((await fetch(url)).status).toBe(200);
  });

  it('adds one listener to a connection, however many of its requests offer h2c', async () => {
    const listening: number[] = [];
    const { port } = await open((ctx) => {
      const names = ctx.socket.eventNames();
      listening.push(names.reduce((sum, name) => sum + ctx.socket.listenerCount(name), 0));
      ctx.body = 'here';
    });
    const host = `Host: 127.0.0.1:${port}`;
    const offer = ['GET / HTTP/1.1', host, 'Upgrade: h2c', 'Connection: Upgrade', '', ''].join('\r\n');
    const { body } = await rawRequest(port, offer.repeat(40) + requestText('GET', '/', [host]));
    expect(body.match(/here/g)).toHaveLength(41);
    expect(Math.max(...listening.slice(1))).toBeLessThanOrEqual(listening[1] ?? 0);
  });

  it('continues when a client that offers h2c many times resets the connection', async () => {
    const { port, url } = await open(async (ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      ctx.body = 'here'.repeat(1_000);
    });
    const offer = ['GET / HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Upgrade: h2c', 'Connection: Upgrade', '', ''];
    for (let round = 0; round < 20; round++) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(offer.join('\r\n').repeat(500));
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    expect((await fetch(url)).status).toBe(200);
  });

  it('answers others between the requests of a connection that offers h2c with each', async () => {
    let served = 0;
    const { port, url } = await open((ctx) => {
      if (ctx.path === '/offered') served += 1;
      ctx.body = String(served);
    });
    const count = 500;
    const offer = ['GET /offered HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Upgrade: h2c', 'Connection: Upgrade', '', ''];
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(offer.join('\r\n').repeat(count));
    while (served === 0) await new Promise((resolve) => setImmediate(resolve));
    const servedBefore = Number(await (await fetch(`${url}/other`)).text());
    expect(servedBefore).toBeLessThan(count);
    socket.destroy();
  });

  it('does not let browsers guess the type of an answer', async () => {
    const { url, port } = await open((ctx) => {
      ctx.body = 'here';
    });
    expect((await fetch(url)).headers.get('x-content-type-options')).toBe('nosniff');
    const foreign = await fetch(url, { headers: { origin: 'http://evil.example' } });
    expect([foreign.status, foreign.headers.get('x-content-type-options')]).toEqual([403, 'nosniff']);
    const headers = [`Host: 127.0.0.1:${port}`, 'Connection: Upgrade', 'Upgrade: websocket', '', ''];
    const refused = await rawRequest(port, ['GET /ws HTTP/1.1', ...headers].join('\r\n'));
    expect(refused.head.toLowerCase()).toContain('x-content-type-options: nosniff');
  });

  it('refuses a page of another origin also if its request offers h2c', async () => {
    const { port } = await open((ctx) => {
      ctx.body = 'here';
    });
    const headers = [`Host: 127.0.0.1:${port}`, 'Origin: http://evil.example', 'Upgrade: h2c', 'Connection: upgrade'];
    const answer = await rawRequest(port, requestText('GET', '/', headers));
    expect(answer.status).toBe(403);
    expect(answer.body).toMatch(/PY1007/);
  });

  it('refuses headers beyond its limit and continues', async () => {
    const { port, url } = await open((ctx) => {
      ctx.body = 'here';
    });
    const answer = await rawRequest(
      port,
      requestText('GET', '/', [`Host: 127.0.0.1:${port}`, `X: ${'x'.repeat(20_000)}`]),
    );
    expect(answer.status).toBe(431);
    expect(await (await fetch(url)).text()).toBe('here');
  });

  it('lets a request in progress end before it closes', async () => {
    let finish = (): void => undefined;
    let enter = (): void => undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const listener = await open(async (ctx) => {
      enter();
      await new Promise<void>((resolve) => (finish = resolve));
      ctx.body = 'finished';
    });
    const answer = fetch(listener.url);
    await entered;
    const closed = listener.close(60_000);
    finish();
    expect(await (await answer).text()).toBe('finished');
    await closed;
    await expect(fetch(listener.url)).rejects.toThrow();
  });

  it('cuts requests that do not end within the grace period', async () => {
    let enter = (): void => undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const listener = await open(() => {
      enter();
      return new Promise<void>(() => undefined);
    });
    const answer = fetch(listener.url);
    const cut = expect(answer).rejects.toThrow();
    await entered;
    await listener.close(20);
    await cut;
  });
});

describe('errors of a listener', () => {
  it('shows a refusal with its status and code', async () => {
    const { url } = await open(() => {
      throw new ServiceError('unknown_namespace', { namespace: 'x', hint: '' });
    });
    const answer = await fetch(url);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/^FF10436: /) });
  });

  it('answers not found if no handler has answered', async () => {
    const { url } = await open(() => undefined);
    const answer = await fetch(`${url}/nowhere`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error: 'FF10109: Not found: GET /nowhere.' });
  });

  it.each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])('shows a full disk (%s) as such, with what to do', async (code) => {
    const { url } = await open(() => {
      throw new Error('The rows could not be written', { cause: Object.assign(new Error('full'), { code }) });
    });
    const answer = await fetch(url);
    expect(answer.status).toBe(507);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/^PY1009: .*Free some space/) });
  });

  it('shows damage of the database with what to do', async () => {
    const { url } = await open(() => {
      throw new DamagedDatabase('page 7 is not sound');
    });
    const answer = await fetch(url);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/^PY1019: .*page 7.*stack reset/) });
  });

  it("shows only the request's id for a defect, under which the log has it", async () => {
    const { url } = await open(() => {
      throw new Error('SELECT secret FROM /home/x');
    });
    const answer = await fetch(url, { headers: { 'X-FireFly-Request-ID': 'mine-1' } });
    expect(answer.status).toBe(500);
    expect(answer.headers.get('x-firefly-request-id')).toBe('mine-1');
    const text = await answer.text();
    expect(text).toMatch(/PY1000.*mine-1/);
    expect(text).not.toMatch(/SELECT|secret|home|at /);
  });

  it('accepts no line breaks or long texts as the id of a request', async () => {
    const { port } = await open(() => undefined);
    const headers = [`Host: 127.0.0.1:${port}`, `X-FireFly-Request-ID: a\tb${'c'.repeat(500)}`];
    const answer = await rawRequest(port, requestText('GET', '/', headers));
    expect(/x-firefly-request-id: (.*)/i.exec(answer.head)?.[1]).toBe(`ab${'c'.repeat(126)}`);
  });
});

describe('a refusal while the request is still being sent', () => {
  it('arrives, although its sender continues for a while', async () => {
    const { port } = await open(() => {
      throw new ServiceError('body_too_large', { max: 10 });
    });
    const headers = [`Host: 127.0.0.1:${port}`, 'Content-Type: application/json'];
    const answer = await rawRequest(port, bodyText('POST', '/', headers, 'x'.repeat(20_000_000)));
    expect(answer.status).toBe(413);
  });
});
