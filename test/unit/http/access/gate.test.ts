import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { type Listener, openListener } from '../../../../src/http/listener.js';
import { bodyText, rawRequest, requestText } from '../raw-request.js';

let listener: Listener;
let host: string;
let reached: string[];

beforeEach(async () => {
  reached = [];
  listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    log: createSilentLog(),
    rules: {
      hosts: ['parley.test', 'localhost:8080'],
      origins: ['http://localhost:5173'],
      contentTypes: (path) => (path === '/upload' ? ['multipart/form-data'] : ['application/json']),
      linkable: (path) => path === '/ui',
    },
    middleware: [
      (ctx) => {
        reached.push(`${ctx.method} ${ctx.path}`);
        ctx.body = { ok: true };
      },
    ],
    upgrade: (request, socket) => {
      reached.push(`UPGRADE ${request.url}`);
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    },
  });
  host = `Host: 127.0.0.1:${listener.port}`;
});
afterEach(() => listener.close(0));

/** Expects a refusal with this status and code, without reaching anything after the gate. */
async function expectRefused(text: string, status: number, code: string): Promise<void> {
  const answer = await rawRequest(listener.port, text);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body)).toEqual({ error: expect.stringMatching(new RegExp(`^${code}: `)) });
  expect(reached).toEqual([]);
}

async function expectReached(text: string, what: string): Promise<void> {
  await rawRequest(listener.port, text);
  expect(reached).toEqual([what]);
}

describe('the gate and the Host header', () => {
  it.each(['127.0.0.1', 'localhost', 'LocalHost', '[::1]', 'parley.test'])('lets our own name %s in', async (name) => {
    await expectReached(requestText('GET', '/a', [`Host: ${name}:${listener.port}`]), 'GET /a');
  });

  it('admits callers of a port that is mapped to it, by the configured name and port', async () => {
    await expectReached(requestText('GET', '/a', ['Host: localhost:8080']), 'GET /a');
  });

  it.each([
    ['a mapped port under another name', () => '127.0.0.1:8080'],
    ['a foreign name', (port: number) => `evil.test:${port}`],
    ['a foreign name that resolves here', (port: number) => `127.0.0.1.nip.io:${port}`],
    ['our name before an @', (port: number) => `127.0.0.1@evil.test:${port}`],
    ['our name behind an @', (port: number) => `evil@127.0.0.1:${port}`],
    ['a trailing dot', (port: number) => `localhost.:${port}`],
    ['no port', () => '127.0.0.1'],
    ['another port', (port: number) => `127.0.0.1:${port + 1}`],
    ['our address written otherwise', (port: number) => `2130706433:${port}`],
    ['a name that ends like ours', (port: number) => `notlocalhost:${port}`],
    ['nothing', () => ''],
  ])('refuses %s', async (_what, name) => {
    await expectRefused(requestText('GET', '/a', [`Host: ${name(listener.port)}`]), 403, 'PY1006');
  });

  it('refuses a request without it', async () => {
    await expectRefused('GET /a HTTP/1.0\r\n\r\n', 403, 'PY1006');
    await expectRefused(requestText('GET', '/a', []), 403, 'PY1006');
  });

  it('refuses two of them, in any order', async () => {
    await expectRefused(requestText('GET', '/a', [host, 'Host: evil.test']), 403, 'PY1006');
    await expectRefused(requestText('GET', '/a', ['Host: evil.test', host]), 403, 'PY1006');
  });

  it('refuses an absolute target, whatever its name', async () => {
    await expectRefused(requestText('GET', `http://evil.test/a`, [host]), 400, 'PY1017');
    await expectRefused(requestText('GET', `http://127.0.0.1:${listener.port}/a`, [host]), 400, 'PY1017');
    await expectRefused(requestText('OPTIONS', '*', [host]), 400, 'PY1017');
  });

  it('refuses a target with a fragment, which URL parsers read differently', async () => {
    await expectRefused(requestText('GET', '/a#/b', [host]), 400, 'PY1017');
    await expectRefused(requestText('GET', '//a@[#', [host]), 400, 'PY1017');
  });

  it('ignores X-Forwarded-Host', async () => {
    const forwarded = `X-Forwarded-Host: 127.0.0.1:${listener.port}`;
    await expectRefused(requestText('GET', '/a', ['Host: evil.test', forwarded]), 403, 'PY1006');
    await expectReached(requestText('GET', '/a', [host, 'X-Forwarded-Host: evil.test']), 'GET /a');
  });
});

it('a listener whose callers prove a key admits every name, and no request with two', async () => {
  const rules = { hosts: [], anyHost: true, origins: [], contentTypes: () => ['application/json'] };
  const answer = (ctx: { body: unknown }): void => {
    ctx.body = { ok: true };
  };
  const open = await openListener({ host: '127.0.0.1', port: 0, log: createSilentLog(), rules, middleware: [answer] });
  const ask = async (...hosts: string[]) => (await rawRequest(open.port, requestText('GET', '/', hosts))).status;
  const answers = [await ask('Host: alice.example:16050'), await ask('Host: a:1', 'Host: b:1'), await ask()];
  await open.close(0);
  expect(answers[0]).toBe(200);
  expect(answers.slice(1)).not.toContain(200);
});

describe('the gate and web pages', () => {
  it.each([
    'http://evil.test',
    'http://127.0.0.1:1',
    'https://localhost:5173',
    'http://localhost:5174',
    'null',
    'file://',
  ])('refuses a page from %s', async (origin) => {
    await expectRefused(requestText('GET', '/a', [host, `Origin: ${origin}`]), 403, 'PY1007');
  });

  it('admits its own page and configured ones, and tells browsers about the latter', async () => {
    const own = await rawRequest(listener.port, requestText('GET', '/a', [host, `Origin: http://${host.slice(6)}`]));
    expect(own.status).toBe(200);
    expect(own.head).not.toMatch(/access-control/i);
    const other = await rawRequest(listener.port, requestText('GET', '/a', [host, 'Origin: http://localhost:5173']));
    expect(other.status).toBe(200);
    expect(other.head).toContain('Access-Control-Allow-Origin: http://localhost:5173');
    expect(other.head).toContain('Vary: Origin');
  });

  it('answers only the preflight of a configured page itself', async () => {
    const own = requestText('OPTIONS', '/a', [
      host,
      'Origin: http://localhost:5173',
      'Access-Control-Request-Method: PUT',
    ]);
    expect((await rawRequest(listener.port, own)).status).toBe(204);
    await expectRefused(requestText('OPTIONS', '/a', [host, 'Origin: http://evil.test']), 403, 'PY1007');
  });

  it.each(['cross-site', 'same-site'])('refuses a request that a %s page causes without an Origin', async (site) => {
    await expectRefused(requestText('GET', '/a', [host, `Sec-Fetch-Site: ${site}`]), 403, 'PY1007');
  });

  it('allows links only to paths that may be linked to', async () => {
    const link = [host, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'];
    await expectRefused(requestText('GET', '/a', link), 403, 'PY1007');
    await expectRefused(bodyText('POST', '/ui', [...link, 'Content-Type: application/json'], '{}'), 403, 'PY1007');
    await expectReached(requestText('GET', '/ui?x=1', link), 'GET /ui');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json5'])(
    'refuses a POST of type %s, as a form on any page can send it',
    async (type) => {
      await expectRefused(bodyText('POST', '/a', [host, `Content-Type: ${type}`], '{}'), 415, 'FF00162');
    },
  );

  it('refuses a body without a type, and a wrong type without a body', async () => {
    await expectRefused(bodyText('PUT', '/a', [host], '{}'), 415, 'FF00162');
    await expectRefused(requestText('POST', '/a', [host, 'Content-Type: text/plain']), 415, 'FF00162');
  });

  it('refuses a compressed body', async () => {
    const headers = [host, 'Content-Type: application/json', 'Content-Encoding: gzip'];
    await expectRefused(bodyText('POST', '/a', headers, '{}'), 415, 'FF00162');
  });

  it('accepts the type of a path, with parameters, and an empty POST', async () => {
    await expectReached(
      bodyText('POST', '/a', [host, 'Content-Type: Application/JSON; charset=utf-8'], '{}'),
      'POST /a',
    );
    reached = [];
    await expectReached(
      bodyText('POST', '/upload', [host, 'Content-Type: multipart/form-data; boundary=x'], ''),
      'POST /upload',
    );
    reached = [];
    await expectReached(bodyText('POST', '/a', [host], ''), 'POST /a');
  });
});

describe('the gate and upgrades', () => {
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: eA=='];
  const upgradeText = (headers: readonly string[]): string =>
    ['GET /ws HTTP/1.1', ...headers, ...upgrade, '', ''].join('\r\n');

  it('admits one with its own name', async () => {
    const answer = await rawRequest(listener.port, upgradeText([host]));
    expect(answer.status).toBe(101);
    expect(reached).toEqual(['UPGRADE /ws']);
  });

  it('refuses a foreign name and a foreign page', async () => {
    await expectRefused(upgradeText(['Host: evil.test']), 403, 'PY1006');
    await expectRefused(upgradeText([host, 'Origin: http://evil.test']), 403, 'PY1007');
    await expectRefused(upgradeText([host, 'Origin: null']), 403, 'PY1007');
  });
});

describe('the gate and webhooks', () => {
  it.each(['GET', 'POST', 'UPGRADE'])('stops the call of a webhook: %s', async (method) => {
    const upgrade = method === 'UPGRADE' ? ['Connection: Upgrade', 'Upgrade: websocket'] : [];
    const headers = [host, 'X-Parley-Event: 1', 'Content-Type: application/json', ...upgrade];
    await expectRefused(requestText(method === 'UPGRADE' ? 'GET' : method, '/a', headers), 403, 'PY1602');
  });
});
