import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthentication } from '../../src/http/auth.js';
import { startTestNetwork, type TestNetwork } from '../support/node.js';
import { sendTagged } from '../support/stream-client.js';

const stranger = '00000000-0000-4000-8000-00000000dead';
const since = '2026-01-31T12:00:00.000Z';
let folder: string;
let supervisor: Server;
let network: TestNetwork;
let asked: string[] = [];
let reply: (path: string) => unknown = () => ({});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'view-'));
  const socket = join(folder, 'view');
  supervisor = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(JSON.stringify(reply(request.url ?? '')));
  });
  await new Promise<void>((resolve) => supervisor.listen({ path: socket }, resolve));
  network = await startTestNetwork(['alice'], { stackView: { socket, service: 'alice' } });
});
beforeEach(() => {
  asked = [];
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

describe('the joins of an explorer', () => {
  it('are asked for what this node has, and for nothing else', async () => {
    expect((await ask(`messages/${stranger}`)).status).toBe(404);
    expect((await ask(`batches/${stranger}`)).status).toBe(404);
    expect((await ask('messages/..%2Fservices')).status).toBe(404);
    expect((await ask('stop')).status).toBe(404);
    expect((await ask('messages/1', { method: 'POST' })).status).toBe(405);
    expect(asked).toEqual([]);
  });

  it('give no value, tag or topic, and no id that this node does not have', async () => {
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
          ...{ party: 'bob', answer: 'held', state: 'ready', steps: [{ step: 'sealed' }] },
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

  it('read the logs of chain, store and this node alone', async () => {
    reply = () => ({ lines: [] });
    await ask('logs?service=alice&service=bob&service=chain&lines=9999999');
    expect(asked).toEqual(['/logs?service=chain&service=alice&lines=500']);
  });

  it('are gone with the supervisor, which the configuration then says', async () => {
    const config = async () => (await fetch(`${network.node.url}/ui/_config`)).json();
    expect(await config()).toMatchObject({ joins: true });
    await new Promise((resolve) => supervisor.close(resolve));
    expect(await config()).toMatchObject({ joins: false });
    expect((await ask('services')).status).toBe(404);
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
