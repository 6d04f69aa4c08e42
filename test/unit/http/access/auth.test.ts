import { createHash, scryptSync } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { type Authentication, type Credential, createAuthentication } from '../../../../src/http/access/auth.js';
import { type Listener, openListener } from '../../../../src/http/listener.js';
import { rawRequest, requestText } from '../raw-request.js';

const token = 'q3Zx-token_of.alice~1';
const salt = Buffer.alloc(16, 7);
const credentials: readonly Credential[] = [
  { name: 'alice', secret: { kind: 'token', sha256: hashOf(token) }, namespaces: undefined },
  { name: 'ci', secret: { kind: 'token', sha256: hashOf('the token of ci') }, namespaces: ['default'] },
  {
    name: 'ann',
    secret: { kind: 'password', salt, cost: 16_384, hash: scryptSync('pass:wörd', salt, 32, { N: 16_384 }) },
    namespaces: undefined,
  },
];

const opened: Listener[] = [];
afterEach(async () => {
  for (const listener of opened.splice(0)) await listener.close(0);
});

interface Asked {
  readonly listener: Listener;
  readonly authentication: Authentication;
  /** Callers and paths of the admitted requests. */
  readonly reached: string[];
}

async function open(host = '127.0.0.1'): Promise<Asked> {
  const authentication = createAuthentication(credentials);
  const reached: string[] = [];
  const listener = await openListener({
    host,
    port: 0,
    authentication,
    log: createSilentLog(),
    rules: { hosts: [], origins: ['http://localhost:5173'], contentTypes: () => ['application/json'] },
    middleware: [
      (ctx) => {
        reached.push(`${authentication.callerOf(ctx.req)?.name ?? 'nobody'} ${ctx.path}`);
        ctx.body = { ok: true };
      },
    ],
    upgrade: (request, socket) => {
      reached.push(`${authentication.callerOf(request)?.name ?? 'nobody'} upgrade ${request.url ?? ''}`);
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    },
  });
  opened.push(listener);
  return { listener, authentication, reached };
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

function ask({ listener }: Asked, authorization: string | undefined, path = '/a', more: readonly string[] = []) {
  const lines = [`Host: 127.0.0.1:${listener.port}`, ...more];
  return rawRequest(
    listener.port,
    requestText('GET', path, authorization === undefined ? lines : [...lines, `Authorization: ${authorization}`]),
  );
}

const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];

describe('a listener that requires credentials', () => {
  it.each([
    ['a bearer token', `Bearer ${token}`, 'alice'],
    ['a scheme in other letters', `bEARER   ${token}`, 'alice'],
    ['a token as the password of its name', basic('alice', token), 'alice'],
    ['a password, a colon in it', basic('ann', 'pass:wörd'), 'ann'],
  ])('lets %s in and knows whose it is', async (_, authorization, name) => {
    const asked = await open();
    expect((await ask(asked, authorization)).status).toBe(200);
    expect((await ask(asked, authorization, '/ws', upgrade)).status).toBe(101);
    expect(asked.reached).toEqual([`${name} /a`, `${name} upgrade /ws`]);
  });

  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['a scheme alone', 'Bearer'],
    ['another scheme', `Digest ${token}`],
    ['a token without its scheme', token],
    ['a wrong token', `Bearer ${token}x`],
    ['the beginning of a token', `Bearer ${token.slice(0, -1)}`],
    ['two tokens', `Bearer ${token} ${token}`],
    ['the hash of a token', `Bearer ${hashOf(token).toString('hex')}`],
    ['no colon', `Basic ${Buffer.from('alice').toString('base64')}`],
    ['what is no base64', 'Basic ***'],
    ['a token under the name of another', basic('ci', token)],
    ['a token under no name', basic('', token)],
    ['a wrong password', basic('ann', 'password')],
    ['no password', basic('ann', '')],
    ['a password as a token', 'Bearer pass:wörd'],
    ['a name that nobody has', basic('eve', 'pass:wörd')],
    ['a name of the language', basic('__proto__', token)],
  ])('answers 401 to %s, to requests and handshakes alike', async (_, authorization) => {
    const asked = await open();
    for (const more of [[], upgrade]) {
      const answer = await ask(asked, authorization, '/ws', more);
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body)).toEqual({ error: expect.stringMatching(/^FF00169: /) });
      expect(answer.head).toMatch(/^www-authenticate: Basic realm="parley"/im);
      expect(answer.head).toMatch(/^content-type: application\/json/im);
      if (authorization !== undefined && authorization.length > 8) expect(answer.body).not.toContain(authorization);
    }
    expect(asked.reached).toEqual([]);
  });

  it('returns the rights of a credential by its name, without a request', () => {
    const { callerNamed } = createAuthentication(credentials);
    expect(callerNamed('ci')).toEqual({ name: 'ci', namespaces: ['default'], grants: [] });
    expect(callerNamed('alice')).toEqual({ name: 'alice', namespaces: undefined, grants: [] });
    for (const name of ['eve', '__proto__', '']) expect(callerNamed(name)).toBe(undefined);
  });

  it('leaves only liveness open, and no similar path', async () => {
    const asked = await open();
    expect((await ask(asked, undefined, '/livez')).status).toBe(200);
    expect((await ask(asked, undefined, '/livez?verbose')).status).toBe(200);
    expect((await ask(asked, undefined, '/livez', upgrade)).status).toBe(401);
    for (const path of ['/livez/', '/livez/..', '/LIVEZ', '/livez%2f..', '/livez;a', '/']) {
      expect([path, (await ask(asked, undefined, path)).status]).toEqual([path, 401]);
    }
    expect((await ask(asked, undefined, '/livez#/../a')).status).toBe(400);
    expect(asked.reached).toEqual(['nobody /livez', 'nobody /livez']);
  });

  it('checks credentials after the gate: a foreign page gets no details, an allowed one what it may send', async () => {
    const asked = await open();
    expect((await ask(asked, undefined, '/a', ['Origin: http://evil.test'])).status).toBe(403);
    const { port } = asked.listener;
    const lines = [`Host: 127.0.0.1:${port}`, 'Origin: http://localhost:5173'];
    const preflight = await rawRequest(port, requestText('OPTIONS', '/a', lines));
    expect(preflight.status).toBe(204);
    expect(preflight.head).toMatch(/access-control-allow-headers:.*Authorization/i);
    const refused = await ask(asked, undefined, '/a', ['Origin: http://localhost:5173']);
    expect(refused.status).toBe(401);
    expect(refused.head).toMatch(/access-control-allow-origin: http:\/\/localhost:5173/i);
  });

  it('may listen beyond loopback, and is reached there by its address', async () => {
    const { listener, reached } = await open('0.0.0.0');
    expect(listener.url).toBe(`http://127.0.0.1:${listener.port}`);
    expect((await fetch(listener.url)).status).toBe(401);
    expect((await fetch(listener.url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    expect(reached).toEqual(['alice /']);
  });
});
