import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createAuthentication } from '../../../src/http/access/auth.js';
import { every } from '../../../src/ports/tables/where.js';
import { textOf } from '../../../src/wire/json/json.js';
import { absolutePaths, type Route } from '../../../src/wire/route.js';
import { routes } from '../../../src/wire/routes.js';
import { createFireFly, startListening } from '../../e2e/fixtures/sdk.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

/** The tokens. The node has only their hashes, so only the test has these texts. */
const tokens = { alice: 'token-of-alice', bob: 'token-of-bob', blue: 'token-of-blue' };

let network: TestNetwork;

beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob'], {
    namespaces: ['default', 'blue'],
    authenticationOf: (organization) =>
      createAuthentication([
        credential(organization, organization === 'alice' ? tokens.alice : tokens.bob, undefined),
        ...(organization === 'alice' ? [credential('blue', tokens.blue, ['blue'])] : []),
      ]),
  });
});
afterAll(() => network.stop());

function credential(name: string, token: string, namespaces: readonly string[] | undefined) {
  const sha256 = createHash('sha256').update(token).digest();
  return { name, secret: { kind: 'token', sha256 }, namespaces } as const;
}

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

/** The credentials that alice refuses: none, unknown ones, and those of another node's owner. */
const strangers: readonly (readonly [who: string, authorization: string | undefined])[] = [
  ['nobody', undefined],
  ['a stranger', 'Bearer token-of-eve'],
  ['the owner of another node', `Bearer ${tokens.bob}`],
  ['the owner of another node, by name', basic('bob', tokens.bob)],
  ['the owner of another node, by the name of this', basic('alice', tokens.bob)],
];
const owner = `Bearer ${tokens.alice}`;
const limited = `Bearer ${tokens.blue}`;

interface Answer {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly text: string;
}

/** Sends a request unchanged: no redirect is followed, and the path is not normalised. */
function ask(
  path: string,
  authorization: string | undefined,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(network.node.url);
  const all = { ...headers, ...(authorization !== undefined && { authorization }) };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, method, headers: all, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, challenge: response.headers['www-authenticate'], text });
      });
    });
    request.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, challenge: undefined, text: '' });
    });
    request.once('error', reject);
    request.end(body);
  });
}

const handshake = {
  headers: {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  },
};
const json = (body: unknown, method = 'POST') => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: textOf(body),
});
const form = {
  method: 'POST',
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n--x--\r\n',
};
const message = { data: [{ value: 1 }] };

async function expectUnknown(path: string, what: Parameters<typeof ask>[2] = {}): Promise<void> {
  for (const [who, authorization] of strangers) {
    const { status, challenge, text } = await ask(path, authorization, what);
    const said = `${what.method ?? 'GET'} ${path} of ${who}`;
    expect([said, status]).toEqual([said, 401]);
    expect(JSON.parse(text)).toEqual({ error: expect.stringMatching(/^FF00169: /) });
    expect(challenge).toMatch(/^Basic .*, Bearer /);
  }
}

function filled(path: string): string {
  return path.replaceAll('{ns}', 'default').replaceAll(/\{\w+\}/g, '3fa85f64-5717-4562-b3fc-2c963f66afa6');
}

describe.each(Object.entries<Route>(routes))('%s of a node that requires credentials', (_, route) => {
  it('is refused to all unknown clients, under each of its paths', async () => {
    const method = route.method.toUpperCase();
    for (const path of [route.path, ...(route.also ?? [])].flatMap(absolutePaths).map(filled)) {
      await expectUnknown(path, route.body === undefined ? { method } : json({}, method));
      if (route.isUpload === true) await expectUnknown(path, form);
    }
  });
});

it('checks rights by the path that is served, with any number of slashes', async () => {
  const path = '//api//v1/namespaces///default//messages';
  expect((await ask(path, undefined)).status).toBe(401);
  expect((await ask(path, limited)).status).toBe(403);
  expect((await ask(path, owner)).status).toBe(200);
  expect((await ask(path.replace('default', 'blue'), limited)).status).toBe(200);
  expect((await ask('//metrics', undefined)).status).toBe(401);
});

describe('a node that requires credentials', () => {
  it.each([
    '/metrics',
    '/',
    '/api',
    '/api/',
    '/api/openapi.json',
    '/api/swagger.json',
    '/api/v1/namespaces/default/api',
    '/api/v1/namespaces/default/api/openapi.yaml',
    '/ui',
    '/ui/index.html',
    '/ui/_config',
    '/favicon.ico',
    '/nowhere',
    '/api/v1/namespaces/nowhere/messages',
    '/livez/../metrics',
    '/metrics?/livez',
  ])('says nothing at %s', async (path) => {
    await expectUnknown(path);
    await expectUnknown(path, { method: 'OPTIONS' });
  });

  it('tells a person with a browser which credentials it wants, the same at every path', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const pages = await Promise.all(['/ui', '/api', '/nowhere'].map((path) => ask(path, undefined, { headers })));
    for (const { status, challenge, text } of pages) {
      expect([status, challenge]).toEqual([401, expect.stringContaining('Basic realm="parley"')]);
      expect(text).toContain('<code>stack open PARTY --print</code>');
      expect(text).toBe(pages[0]?.text);
    }
    expect((await ask('/ui', undefined)).text).toMatch(/^{"error":"FF00169: /);
  });

  it.each([
    '/ws',
    '/ws?ephemeral&autoack',
    '/ws?namespace=default&ephemeral=true&filter.events=message_confirmed',
    '/ws?namespace=default&name=orders&autoack',
    '/ws?namespace=nowhere&ephemeral',
    '/api/v1/namespaces/default/ws?ephemeral',
    '/api/v1/ws',
    '/livez',
    '/nowhere',
  ])('opens no socket at %s', async (path) => {
    await expectUnknown(path, handshake);
  });

  it('has stored nothing of these requests', async () => {
    for (const table of ['messages', 'data', 'groups', 'subscriptions'] as const) {
      expect([table, await network.node.database.count(table, { namespace: every })]).toEqual([table, 0]);
    }
  });

  it('answers its supervisor, which has no identity', async () => {
    expect((await ask('/livez', undefined)).status).toBe(200);
  });

  it.each([owner, basic('alice', tokens.alice)])('works for its owner: %#', async (authorization) => {
    for (const path of ['/api/v1/status', '/metrics', '/api', '/api/openapi.json', '/api/v1/namespaces']) {
      expect([path, (await ask(path, authorization)).status]).toEqual([path, 200]);
    }
    const uploaded = await ask('/api/v1/namespaces/default/data', authorization, form);
    expect(uploaded.status).toBe(200);
    const sent = await ask('/api/v1/messages/broadcast?confirm', authorization, json(message));
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('"state":"confirmed"')]);
    expect((await ask('/ws?namespace=default&ephemeral', authorization, handshake)).status).toBe(101);
  });

  it('delivers to a socket that sends Basic with its handshake, as the SDK does', async () => {
    const socket = new WebSocket(`${network.node.ws}/ws?namespace=default&ephemeral=true&autoack`, {
      auth: `alice:${tokens.alice}`,
    });
    const frame = new Promise<string>((resolve, reject) => {
      socket.once('message', (data) => {
        resolve(Buffer.isBuffer(data) ? data.toString() : '');
      });
      socket.once('error', reject);
    });
    await new Promise((resolve) => socket.once('open', resolve));
    await ask('/api/v1/messages/broadcast', owner, json(message));
    expect(await frame).toContain('"type":"');
    socket.close();
  });
});

describe('an application with the SDK', () => {
  it('sends its credential once for its sockets and once for its requests', async () => {
    const auth = { username: 'alice', password: tokens.alice };
    const fireFly = createFireFly(network.node.url, { ...auth, requestConfig: { auth } });
    await fireFly.replaceSubscription({ name: 'mine', transport: 'websockets', options: { firstEvent: 'newest' } });
    const listening = startListening(fireFly, 'mine');
    try {
      const { header } = await fireFly.sendBroadcast({ data: [{ value: 'with credentials' }] });
      await expect.poll(listening.references).toContain(header.id);
    } finally {
      listening.close();
    }
  });

  it('gets the reason of a refusal', async () => {
    const stranger = createFireFly(network.node.url, { requestConfig: { auth: { username: 'alice', password: 'x' } } });
    await expect(stranger.getMessages()).rejects.toThrow('FF00169');
  });
});

describe('a credential with rights to one namespace', () => {
  const forbidden = [403, expect.stringMatching(/FF00170: /)];

  it('works there', async () => {
    expect((await ask('/api/v1/namespaces/blue/messages', limited)).status).toBe(200);
    expect((await ask('/api/v1/namespaces/blue', limited)).status).toBe(200);
    expect((await ask('/api/v1/namespaces/blue/messages/broadcast', limited, json(message))).status).toBe(202);
    expect((await ask('/ws?namespace=blue&ephemeral', limited, handshake)).status).toBe(101);
    expect((await ask('/api/openapi.json', limited)).status).toBe(200);
  });

  it.each([
    ['another namespace', '/api/v1/namespaces/default/messages', {}],
    ['the default one without its name', '/api/v1/messages', {}],
    ['the description of another', '/api/v1/namespaces/default/api/openapi.json', {}],
    ['the default one by the word of a client that has no name', '/api/v1/namespaces/undefined/messages', {}],
    ['the system', '/api/v1/namespaces/svc_system/messages', {}],
    ['one that is not there', '/api/v1/namespaces/nowhere/messages', {}],
    ['the name alone', '/api/v1/namespaces/default', {}],
    ['a message to another', '/api/v1/namespaces/default/messages/broadcast', json(message)],
    ['a file for another', '/api/v1/namespaces/default/data', form],
    ['what is of all', '/metrics', {}],
    ['a socket to another', '/ws?namespace=default&ephemeral', handshake],
    ['a socket to the default one', '/ws?ephemeral', handshake],
  ])('is refused %s', async (_, path, what) => {
    const { status, text } = await ask(path, limited, what);
    expect([status, text]).toEqual(forbidden);
    expect(text).not.toContain('svc_system"');
    expect(text).not.toContain(tokens.blue);
  });

  it('begins subscriptions there on a socket, with frames, and none elsewhere', async () => {
    const begun = async (namespace: string): Promise<string> => {
      const socket = new WebSocket(`${network.node.ws}/ws`, { headers: { authorization: limited } });
      const frames: string[] = [];
      const ended = new Promise<string>((resolve, reject) => {
        socket.on('message', (data) => {
          frames.push(Buffer.isBuffer(data) ? data.toString() : '');
          socket.close();
        });
        socket.once('close', () => {
          resolve(frames.join(' '));
        });
        socket.once('error', reject);
      });
      await new Promise((resolve) => socket.once('open', resolve));
      socket.send(textOf({ type: 'start', namespace, ephemeral: true, options: { firstEvent: 'oldest' } }));
      return ended;
    };
    expect(await begun('blue')).toContain('"namespace":"blue"');
    expect(await begun('default')).toMatch(/protocol_error.*FF00170/);
    expect(await begun('svc_system')).toMatch(/protocol_error.*FF00170/);
  });

  it('lists only that one', async () => {
    const names = (text: string) => [...text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
    expect(names((await ask('/api/v1/namespaces', limited)).text)).toEqual(['blue']);
    expect(names((await ask('/api/v1/namespaces', owner)).text)).toEqual(['default', 'blue', 'svc_system']);
  });

  it('finds no records of another there', async () => {
    const sent = await ask('/api/v1/messages/broadcast?confirm', owner, json(message));
    const id = /"id":"([0-9a-f-]{36})"/.exec(sent.text)?.[1] ?? '';
    expect((await ask(`/api/v1/namespaces/default/messages/${id}`, owner)).status).toBe(200);
    expect((await ask(`/api/v1/namespaces/blue/messages/${id}`, limited)).status).toBe(404);
  });
});
