import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { createDataClient, type DataClient } from '../../support/data-client.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { startWebhookTarget, type WebhookTarget } from '../../support/webhook-target.js';

let network: TestNetwork;
let target: WebhookTarget;
/** Alice sends requests, and bob replies by a webhook. */
let alice: DataClient;
let bob: DataClient;

beforeEach(async () => {
  network = await startTestNetwork(['bob', 'alice']);
  const [first, second] = network.nodes;
  if (first === undefined || second === undefined) throw new Error('There are two nodes');
  [bob, alice] = [createDataClient(first), createDataClient(second)];
  target = await startWebhookTarget();
});
afterEach(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
  await target.goDown();
});

interface Shown {
  readonly header: Readonly<Record<string, unknown>> & { readonly id: string };
  readonly data: readonly { readonly value: unknown }[];
}

const json = { 'content-type': 'application/json' };

async function subscribe(options: Record<string, unknown> = {}): Promise<void> {
  const retry = { initialDelay: '1ms', maxDelay: '2ms' };
  const body = JSON.stringify({
    name: 'responder',
    transport: 'webhooks',
    filter: { events: '^message_confirmed$', tag: '^ask$' },
    options: { url: target.url, withData: true, reply: true, replytag: 'answer', retry, ...options },
  });
  const response = await bob.post('subscriptions', body);
  expect(response.status, await response.clone().text()).toBe(201);
}

function request(value: unknown, header: Record<string, unknown> = {}): string {
  return JSON.stringify({
    header: { tag: 'ask', topics: ['orders'], ...header },
    group: { members: [{ identity: 'bob' }] },
    data: [{ value }],
  });
}

async function ask(value: unknown, header: Record<string, unknown> = {}): Promise<Shown> {
  const response = await alice.post('messages/requestreply', request(value, header));
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Shown;
}

async function answersAt(client: DataClient): Promise<readonly Shown[]> {
  return (await (await client.call('messages?tag=answer&fetchdata=true')).json()) as Shown[];
}

describe('a webhook that replies', () => {
  it('answers a request, with status, headers and body, in its group and on its topics', async () => {
    await subscribe();
    target.answers(({ body }, response) => void response.writeHead(201, json).end(`{ "got": ${body}, "n": 1.50 }`));
    const reply = await ask({ question: 1 });
    const [call] = target.calls;
    expect(call?.body).toBe('{"question":1}');
    expect(reply.header).toMatchObject({
      author: 'did:parley:org/bob',
      type: 'private',
      txtype: 'batch_pin',
      tag: 'answer',
      topics: ['orders'],
    });
    expect(reply.data[0]?.value).toMatchObject({
      status: 201,
      headers: { 'Content-Type': 'application/json' },
      body: { got: { question: 1 }, n: 1.5 },
    });
    const text = await (await alice.call(`messages/${reply.header.id}?fetchdata=true`)).text();
    expect(text).toContain('"n":1.50');
  });

  it('answers with any status, and calls once for it', async () => {
    await subscribe();
    target.answers((_, response) => void response.writeHead(500).end('sorry'));
    const reply = await ask(1);
    expect(reply.data[0]?.value).toMatchObject({ status: 500, body: Buffer.from('sorry').toString('base64') });
    expect(target.calls).toHaveLength(1);
  });

  it('answers 502 if there is no server, after the configured number of retries', async () => {
    await subscribe({ retry: { count: 2, initialDelay: '1ms' } });
    await target.goDown();
    expect((await ask(1)).data[0]?.value).toMatchObject({ status: 502 });
    await target.comeBack();
  });

  it('answers 502 for a response that no message can carry', async () => {
    await subscribe();
    target.answers((_, response) => void response.writeHead(200, json).end(`"${'x'.repeat(900_000)}"`));
    expect((await ask(1)).data[0]?.value).toMatchObject({ status: 502 });
    target.answers((_, response) => void response.writeHead(200, json).end(`"${'x'.repeat(1_100_000)}"`));
    expect((await ask(2)).data[0]?.value).toMatchObject({ status: 502 });
  });

  it('answers without a pin if its owner or the message requests that', async () => {
    await subscribe({ replytx: 'none', input: { replytx: 'pinned' } });
    expect((await ask({ pinned: false })).header).toMatchObject({ txtype: 'none' });
    expect((await ask({ pinned: true })).header).toMatchObject({ txtype: 'batch_pin' });
    expect((await ask({ pinned: 'none' })).header).toMatchObject({ txtype: 'none' });
  });

  it('answers a broadcast by a broadcast', async () => {
    await subscribe();
    const body = JSON.stringify({ header: { tag: 'ask', topics: ['orders'] }, data: [{ value: 1 }] });
    const sent = (await (await alice.post('messages/broadcast?confirm=true', body)).json()) as Shown;
    await eventually(async () => {
      const [answer] = await answersAt(alice);
      expect(answer?.header).toMatchObject({ type: 'broadcast', cid: sent.header.id, topics: ['orders'] });
    });
  });

  it('ignores messages that are answers themselves', async () => {
    await subscribe();
    const cid = '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01';
    expect((await alice.post('messages/private?confirm=true', request(1, { cid }))).status).toBe(200);
    await ask(2);
    expect(target.calls.map(({ body }) => body)).toEqual(['2']);
  });

  it('answers a request once, even if the node is restarted before it has recorded the answer', async () => {
    await subscribe();
    const waiting: (() => void)[] = [];
    target.answers((_, response) => void waiting.push(() => response.writeHead(200, json).end('"late"')));
    const reply = ask(1);
    await eventually(() => expect(waiting).toHaveLength(1));
    await network.restart();
    await eventually(() => expect(waiting).toHaveLength(2));
    for (const answer of waiting) answer();
    expect((await reply).data[0]?.value).toMatchObject({ body: 'late' });
    await network.restart();
    target.answers((_, response) => void response.writeHead(200, json).end('"next"'));
    await ask(2);
    expect(await answersAt(alice)).toHaveLength(2);
  });

  it('with fastack answers too', async () => {
    await subscribe({ fastack: true });
    target.answers((_, response) => void response.writeHead(200, json).end('[1]'));
    expect((await ask(1)).data[0]?.value).toMatchObject({ status: 200, body: [1] });
    await target.goDown();
    expect((await ask(2)).data[0]?.value).toMatchObject({ status: 502 });
    await target.comeBack();
  });
});
