import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthentication } from '../../../src/http/access/auth.js';
import { post } from '../../support/at-limits.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { sendTagged } from '../../support/stream-client.js';

const stranger = '00000000-0000-4000-8000-00000000dead';
const since = '2026-01-31T12:00:00.000Z';
let folder: string;
let supervisor: Server;
let network: TestNetwork;
let asked: string[] = [];
let status = 200;
let reply: (path: string) => unknown = () => ({});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'view-'));
  const socket = join(folder, 'view');
  supervisor = createServer((request, response) => {
    asked.push(request.method === 'GET' ? (request.url ?? '') : `${request.method} ${request.url}`);
    response.statusCode = status;
    response.end(JSON.stringify(reply(request.url ?? '')));
  });
  await new Promise<void>((resolve) => supervisor.listen({ path: socket }, resolve));
  network = await startTestNetwork(['alice'], { stackView: { socket, service: 'alice' } });
});
beforeEach(() => {
  asked = [];
  status = 200;
});
afterAll(async () => {
  await network.stop();
  supervisor.close();
  await rm(folder, { recursive: true });
});

async function ask(path: string, init: RequestInit = {}): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${network.node.url}/ui/_stack/${path}`, init);
  return { status: response.status, text: await response.text() };
}

describe('the joins of the explorer', () => {
  it('can be requested only for records of this node', async () => {
    expect((await ask(`messages/${stranger}`)).status).toBe(404);
    expect((await ask(`batches/${stranger}`)).status).toBe(404);
    expect((await ask('messages/..%2Fservices')).status).toBe(404);
    expect((await ask('stop')).status).toBe(404);
    expect((await ask('messages/1', { method: 'POST' })).status).toBe(405);
    expect(asked).toEqual([]);
  });

  it('contain no value, tag or topic, and no id that this node does not have', async () => {
    const id = await sendTagged(network.node, 'own');
    const waits = [
      { on: 'context', since, message: stranger, batch: stranger, context: { topic: 'secret' }, detail: 'secret' },
      { on: 'context', since, message: id },
    ];
    const part = { answer: 'held', state: 'ready', steps: [{ step: 'sealed', info: 'secret' }], tag: 'secret', waits };
    reply = () => ({ parties: [{ party: 'bob', ...part, value: 'secret' }] });
    const joined = await ask(`messages/${id}`);
    expect(joined.text).not.toContain('secret');
    expect(JSON.parse(joined.text)).toEqual({
      parties: [
        {
          party: 'bob',
          answer: 'held',
          state: 'ready',
          steps: [{ step: 'sealed' }],
          waits: [
            { on: 'context', since },
            { on: 'context', since, message: id },
          ],
        },
      ],
    });
    const undecided = [
      { id: stranger, waits: [] },
      { id, waits },
    ];
    reply = () => ({ parties: [{ party: 'bob', answer: 'held', undecided }] });
    const topics = await ask('topics');
    expect(topics.text).not.toContain('secret');
    expect(topics.text).not.toContain(stranger);
    expect(topics.text).toContain(id);
  });

  it('can be requested for definitions and their batches too, which are in the system namespace', async () => {
    const definition = { name: 'order', version: '1', value: { type: 'object' } };
    const path = 'datatypes?confirm=true';
    const { text } = await post(network.node, path, JSON.stringify(definition));
    const { message } = JSON.parse(text) as { readonly message: string };
    const served = await fetch(`${network.node.url}/api/v1/namespaces/default/messages/${message}`);
    const { batch } = (await served.json()) as { readonly batch: string };
    reply = () => ({
      parties: [{ party: 'bob', answer: 'held', steps: [], waits: [{ on: 'context', since, message }] }],
    });
    const answers = await Promise.all([`messages/${message}`, `batches/${batch}`].map((record) => ask(record)));
    expect(answers.map(({ text }) => text)).toEqual([
      expect.stringContaining(message),
      expect.stringContaining(message),
    ]);
    expect(asked).toEqual([`/messages/${message}?ns=default`, `/batches/${batch}?ns=default`]);
  });

  it('read only the logs of chain, store and this node', async () => {
    reply = () => ({ lines: [] });
    await ask('logs?service=alice&service=bob&service=chain&lines=9999999');
    expect(asked).toEqual(['/logs?service=chain&service=alice&lines=500']);
  });

  it('name the service of this node', async () => {
    const row = { kind: 'node', state: 'paused', restarts: 0, memoryBytes: 7, secret: 'secret' };
    reply = () => ({ services: ['alice', 'bob'].map((name) => ({ name, ...row })) });
    const { services } = JSON.parse((await ask('services')).text) as { services: readonly object[] };
    const shown = { kind: 'node', state: 'paused', restarts: 0, memoryBytes: 7 };
    expect(services).toEqual([
      { name: 'alice', ...shown, isThis: true },
      { name: 'bob', ...shown },
    ]);
  });

  it('pause and resume other services, only for an explorer of this origin', async () => {
    const marked = { method: 'POST', headers: { 'x-parley-ui': '1' } };
    reply = () => ({ service: { name: 'bob', state: 'paused', pid: 1 } });
    expect(await ask('services/bob/pause', { method: 'POST' })).toMatchObject({
      status: 403,
      text: expect.stringContaining('PY1014'),
    });
    const foreign = { ...marked, headers: { ...marked.headers, origin: 'http://example.com' } };
    expect((await ask('services/bob/pause', foreign)).status).toBe(403);
    const form = { ...marked, headers: { ...marked.headers, 'content-type': 'text/plain' }, body: 'x' };
    expect((await ask('services/bob/pause', form)).status).toBe(415);
    expect(await ask('services/alice/pause', marked)).toMatchObject({
      status: 409,
      text: expect.stringContaining('PY1303'),
    });
    for (const path of ['services/bob/stop', 'services/..%2Fstop/pause'])
      expect([path, (await ask(path, marked)).status]).toEqual([path, 404]);
    expect(asked).toEqual([]);
    expect(JSON.parse((await ask('services/bob/pause', marked)).text)).toEqual({
      service: { name: 'bob', state: 'paused' },
    });
    expect((await ask('services/bob/resume', marked)).status).toBe(200);
    expect(asked).toEqual(['POST /services/bob/pause', 'POST /services/bob/resume']);
    status = 409;
    reply = () => ({ error: 'Only a paused service can be resumed: bob is healthy.' });
    expect(await ask('services/bob/resume', marked)).toMatchObject({
      status: 409,
      text: expect.stringMatching(/PY1304: .*bob is healthy/),
    });
  });

  it('show the explorer of a party that was added after this node had started', async () => {
    const dave = { name: 'dave', url: 'http://127.0.0.1:1' };
    reply = () => ({ explorers: [{ ...dave, secret: 'secret' }] });
    const config = await (await fetch(`${network.node.url}/ui/_config`)).json();
    expect(config).toMatchObject({ parties: [dave] });
    expect(JSON.stringify(config)).not.toContain('secret');
    status = 500;
    expect(await (await fetch(`${network.node.url}/ui/_config`)).json()).toMatchObject({ parties: [] });
  });

  it('disappear with the supervisor, which the configuration then reports', async () => {
    const config = async () => (await fetch(`${network.node.url}/ui/_config`)).json();
    expect(await config()).toMatchObject({ joins: true });
    await new Promise((resolve) => supervisor.close(resolve));
    expect(await config()).toMatchObject({ joins: false });
    expect((await ask('services')).status).toBe(404);
    const marked = { method: 'POST', headers: { 'x-parley-ui': '1' } };
    expect((await ask('services/bob/pause', marked)).status).toBe(404);
  });
});

describe('a node that asks for credentials', () => {
  it('has no joins, whatever its configuration names', async () => {
    const secured = await startTestNetwork(['alice'], {
      stackView: { socket: join(folder, 'view'), service: 'alice' },
      authenticationOf: () => createAuthentication([]),
    });
    expect((await fetch(`${secured.node.url}/ui/_stack/services`)).status).toBe(401);
    await secured.stop();
  });
});
