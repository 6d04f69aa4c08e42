import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { createDataClient, type DataClient } from '../../support/data-client.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { accepts, startWebhookTarget, status, type WebhookTarget } from '../../support/webhook-target.js';

let network: TestNetwork;
let target: WebhookTarget;
let client: DataClient;

beforeEach(async () => {
  network = await startTestNetwork(['alice', 'bob']);
  target = await startWebhookTarget();
  client = createDataClient(network.node);
});
afterEach(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
  await target.goDown();
});

const quick = { retry: { initialDelay: '5ms', maxDelay: '20ms' } };

/** Creates a webhook, by default one with the values of messages, which are easy to compare. */
async function subscribe(options: Record<string, unknown> = {}, filter: Record<string, unknown> = {}) {
  const body = {
    name: 'hook',
    transport: 'webhooks',
    filter: { events: '^message_confirmed$', ...filter },
    options: { url: `${target.url}/hook`, withData: options['batch'] !== true, ...quick, ...options },
  };
  const response = await client.post('subscriptions', JSON.stringify(body));
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as { id: string; options: Record<string, unknown> };
}

async function broadcast(value: unknown, header: Record<string, unknown> = {}): Promise<string> {
  const body = JSON.stringify({ header: { topics: ['orders'], ...header }, data: [{ value }] });
  const response = await client.post('messages/broadcast?confirm=true', body);
  expect(response.status).toBe(200);
  return ((await response.json()) as { header: { id: string } }).header.id;
}

async function statusOf(id: string) {
  const response = await client.call(`subscriptions/${id}?fetchstatus=true`);
  const { status: shown } = (await response.json()) as {
    status: { currentOffset: number; delivery?: { failures: number; lastError?: string; nextAttempt?: string } };
  };
  return shown;
}

/** Returns the sequence of the event that confirms a message. */
async function sequenceOf(message: string): Promise<number> {
  const response = await client.call(`events?type=message_confirmed&reference=${message}`);
  const [event] = (await response.json()) as { sequence: number }[];
  return event?.sequence ?? NaN;
}

const bodies = () => target.calls.map(({ body }) => body);
const untilCalls = (count: number) => eventually(() => expect(target.calls.length).toBeGreaterThanOrEqual(count));
/** Returns each call once, in the order of first calls. */
const inOrder = () => [...new Set(bodies())];

describe('a webhook', () => {
  it('gets the values of messages, in order, each as it is stored', async () => {
    const { options } = await subscribe();
    expect(options).toMatchObject({ withData: true });
    for (const value of [1, 'two', { three: [3] }]) await broadcast(value);
    await untilCalls(3);
    expect(bodies()).toEqual(['1', '"two"', '{"three":[3]}']);
    expect(target.calls[0]).toMatchObject({ method: 'POST', path: '/hook' });
    expect(target.calls[0]?.headers['content-type']).toBe('application/json');
  });

  it('gets null as a value, alone and at its place among several', async () => {
    await subscribe();
    await broadcast(null);
    const data = [{ value: 1.5 }, { value: null }, { value: [] }];
    await client.post('messages/broadcast?confirm=true', JSON.stringify({ header: { topics: ['orders'] }, data }));
    await untilCalls(2);
    expect(bodies()).toEqual(['null', '[1.5,null,[]]']);
  });

  it('gets the event and its message without values by default, with its id in a header', async () => {
    const { options } = await subscribe({ withData: null });
    expect(options).toMatchObject({ withData: false });
    const id = await broadcast({ secret: 'value' });
    await untilCalls(1);
    const event = JSON.parse(bodies()[0] ?? '') as { id: string; reference: string; message: { header: unknown } };
    expect(event).toMatchObject({ reference: id, type: 'message_confirmed', subscription: { name: 'hook' } });
    expect(event.message.header).toMatchObject({ id });
    expect(bodies()[0]).not.toContain('secret');
    expect(target.calls[0]?.headers['x-parley-event']).toBe(event.id);
  });

  it('gets nothing that its filter excludes', async () => {
    await subscribe({}, { topic: '^bills$' });
    await broadcast(1);
    await broadcast(2, { topics: ['bills'] });
    await untilCalls(1);
    expect(bodies()).toEqual(['2']);
  });

  it('that answers 500 for a time gets everything in order, and its failures are shown', async () => {
    const { id } = await subscribe();
    target.answers(status(500));
    const first = await sequenceOf(await broadcast(1));
    await broadcast(2);
    await untilCalls(3);
    expect(inOrder()).toEqual(['1']);
    const shown = await statusOf(id);
    expect(shown.currentOffset).toBeLessThan(first);
    expect(shown.delivery?.failures).toBeGreaterThan(0);
    expect(shown.delivery?.lastError).toContain('500');
    expect(shown.delivery?.nextAttempt).toMatch(/^\d{4}-.*Z$/);
    target.answers(accepts);
    await eventually(() => expect(inOrder()).toEqual(['1', '2']));
    await eventually(async () => expect((await statusOf(id)).delivery).toEqual({ failures: 0 }));
    await eventually(async () => expect((await statusOf(id)).currentOffset).toBeGreaterThan(first));
  });

  it('that hangs is abandoned after its time limit, and called again', async () => {
    await subscribe({ httpOptions: { requestTimeout: '50ms' } });
    target.answers(() => undefined);
    await broadcast(1);
    await untilCalls(2);
    target.answers(accepts);
    await broadcast(2);
    await eventually(() => expect(inOrder()).toEqual(['1', '2']));
  });

  it('that is down for a time gets everything in order', async () => {
    const { id } = await subscribe();
    await target.goDown();
    for (const value of [1, 2, 3]) await broadcast(value);
    await eventually(async () => expect((await statusOf(id)).delivery?.failures).toBeGreaterThan(1));
    expect((await statusOf(id)).delivery?.lastError).toContain('ECONNREFUSED');
    await target.comeBack();
    await eventually(() => expect(bodies()).toEqual(['1', '2', '3']));
  });

  it('gets everything in order although the node is restarted while it fails and while it is down', async () => {
    await subscribe();
    target.answers(status(503));
    await broadcast(1);
    await broadcast(2);
    await untilCalls(1);
    await network.restart();
    await untilCalls(2);
    await network.restart(() => target.goDown());
    await broadcast(3);
    target.answers(accepts);
    await network.restart(() => target.comeBack());
    await eventually(() => expect(inOrder()).toEqual(['1', '2', '3']));
  });

  it('is not called again with events that it accepted before a restart of the node', async () => {
    const { id } = await subscribe();
    const first = await sequenceOf(await broadcast(1));
    await eventually(async () => expect((await statusOf(id)).currentOffset).toBeGreaterThanOrEqual(first));
    await network.restart();
    await broadcast(2);
    await eventually(() => expect(bodies()).toEqual(['1', '2']));
  });

  it('is given up after the allowed retries, and the next event is delivered', async () => {
    await subscribe({ retry: { ...quick.retry, count: 2 } });
    target.answers(({ body }, response) => void response.writeHead(body === '1' ? 500 : 204).end());
    await broadcast(1);
    await broadcast(2);
    await eventually(() => expect(bodies()).toEqual(['1', '1', '1', '2']));
    const metrics = await (await fetch(`${network.node.url}/metrics`)).text();
    expect(metrics).toMatch(/^parley_webhook_given_up_total 1$/m);
  });

  it('that is replaced while it fails is called with its new settings', async () => {
    await subscribe({ retry: { initialDelay: '1h', maxDelay: '1h' } });
    target.answers(({ path }, response) => void response.writeHead(path === '/other' ? 204 : 500).end());
    await broadcast(1);
    await untilCalls(1);
    const options = { url: `${target.url}/other`, withData: true, ...quick };
    const body = JSON.stringify({ name: 'hook', transport: 'webhooks', options });
    const headers = { 'content-type': 'application/json' };
    expect((await client.call('subscriptions', { method: 'PUT', body, headers })).status).toBe(200);
    await eventually(() => expect(target.calls.map(({ path }) => path)).toContain('/other'));
    expect(target.calls.find(({ path }) => path === '/other')?.body).toBe('1');
  });

  it('that is deleted while it fails is no longer called', async () => {
    const { id } = await subscribe();
    target.answers(status(500));
    await broadcast(1);
    await untilCalls(1);
    expect((await client.call(`subscriptions/${id}`, { method: 'DELETE' })).status).toBe(204);
    const other = await startWebhookTarget();
    await subscribe({ url: `${other.url}/new`, firstEvent: 'newest' });
    await broadcast(2);
    await eventually(() => expect(other.calls.map(({ body }) => body)).toEqual(['2']));
    await other.goDown();
    expect(inOrder()).toEqual(['1']);
  });

  it('with fastack is called for several events at once, once for each, whatever it answers', async () => {
    const { id } = await subscribe({ fastack: true, readAhead: 2 });
    const held: (() => void)[] = [];
    target.answers((_, response) => void held.push(() => response.writeHead(500).end()));
    const first = await sequenceOf(await broadcast(1));
    for (const value of [2, 3, 4, 5]) await broadcast(value);
    await eventually(() => expect(held).toHaveLength(3));
    await eventually(async () => expect((await statusOf(id)).currentOffset).toBeGreaterThanOrEqual(first));
    target.answers(status(500));
    for (const answer of held) answer();
    await untilCalls(5);
    await broadcast(6);
    await untilCalls(6);
    expect(bodies().sort()).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('in batch mode gets arrays, and the whole array again after a failure', async () => {
    target.answers(status(500));
    await subscribe({ batch: true, readAhead: 3, batchTimeout: '5m' });
    for (const value of [1, 2, 3]) await broadcast(value);
    await untilCalls(2);
    target.answers(accepts);
    for (const value of [4, 5, 6]) await broadcast(value);
    await eventually(() => expect(inOrder()).toHaveLength(2));
    const batches = inOrder().map((body) => JSON.parse(body) as { type: string; sequence: number }[]);
    expect(batches.map((batch) => batch.map(({ type }) => type))).toEqual([
      Array.from({ length: 3 }, () => 'message_confirmed'),
      Array.from({ length: 3 }, () => 'message_confirmed'),
    ]);
    const sequences = batches.flat().map(({ sequence }) => sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
  });
});
