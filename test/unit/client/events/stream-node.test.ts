import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSocket } from '../../../../src/cli/requests/open-socket.js';
import { newestMatches, newestSequence } from '../../../../src/cli/events/past-events.js';
import { type Client, createClient } from '../../../../src/client/client.js';
import type { EventItem } from '../../../../src/client/events/deliveries.js';
import type { OpenSocket, Socket } from '../../../../src/client/events/socket.js';
import { events, type StreamItem } from '../../../../src/client/events/stream.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { startTestNetwork, type TestNetwork } from '../../../support/node.js';

let network: TestNetwork;
let client: Client;
beforeAll(async () => {
  network = await startTestNetwork();
  client = createClient({ url: network.node.url });
});
afterAll(async () => {
  await network.stop();
});

/** Sends messages with a tag, one after the other, and waits until each is confirmed. */
async function send(tag: string, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    await client.broadcastMessage({
      body: { header: { tag }, data: [{ value: textOf(n) }] },
      query: { confirm: true },
    });
  }
}

/** Sockets of which the newest can be cut. */
function cuttable(): { readonly openSocket: OpenSocket; readonly cut: () => void } {
  let newest: Socket | undefined;
  return {
    openSocket: (url, listener) => (newest = openSocket(url, listener)),
    cut: () => newest?.close(),
  };
}

async function nextEvent(items: AsyncGenerator<StreamItem>): Promise<EventItem> {
  for (;;) {
    const next = await items.next();
    if (next.done === true) throw new Error('The stream has ended.');
    if (next.value.kind === 'event') return next.value;
  }
}

async function sequencesOf(items: AsyncGenerator<StreamItem>, count: number): Promise<number[]> {
  const sequences: number[] = [];
  while (sequences.length < count) sequences.push((await nextEvent(items)).event.sequence);
  return sequences;
}

const known = () => ({ url: network.node.url, namespace: 'default', retry: 'later' }) as const;

describe('a stream of a node', () => {
  it('has each event once if the node batches them, also after a cut', async () => {
    const { openSocket: open, cut } = cuttable();
    const frames: string[] = [];
    const openSocket: OpenSocket = (url, listener) =>
      open(url, {
        ...listener,
        received: (text) => {
          frames.push(text);
          listener.received(text);
        },
      });
    const filters = { 'message.tag': '^gathered$' };
    const start = () => newestSequence(client);
    const items = events({ ...known(), openSocket, filters, start, gatherMs: 50 });
    expect((await items.next()).value).toEqual({ kind: 'open' });
    await send('gathered', 2);
    const before = await sequencesOf(items, 2);
    cut();
    await send('gathered', 3);
    const after = await sequencesOf(items, 3);
    await items.return();
    expect(new Set([...before, ...after]).size).toBe(5);
    expect([...before, ...after]).toEqual([...before, ...after].toSorted((left, right) => left - right));
    expect(new Set(frames.map((text) => (JSON.parse(text) as { readonly type: string }).type))).toEqual(
      new Set(['event_batch']),
    );
  });

  it('has each event once, whatever happened while it was disconnected', async () => {
    const { openSocket: open, cut } = cuttable();
    const filters = { 'message.tag': '^cut$' };
    const start = () => newestSequence(client);
    const items = events({ ...known(), openSocket: open, filters, start });
    expect(await items.next()).toMatchObject({ value: { kind: 'open' } });
    cut();
    await send('cut', 2);
    const first = await sequencesOf(items, 1);
    cut();
    await send('cut', 2);
    const all = [...first, ...(await sequencesOf(items, 3))];
    await items.return();
    const found = await newestMatches(client, { filters, count: 10, behind: 0 });
    expect(all).toEqual(found.events.map(({ sequence }) => sequence).toReversed());
  });

  it('is durable by name: only unacknowledged events are delivered to the next reader', async () => {
    const options = textOf({ readAhead: 10 });
    const filter = textOf({ message: { tag: '^durable$' } });
    await client.createSubscription({ body: { name: 'app', filter, options } });
    await send('durable', 4);
    const reader = () => events({ ...known(), openSocket, name: 'app', acknowledges: 'calling' });
    const one = reader();
    const first = await nextEvent(one);
    first.acknowledge();
    const second = await nextEvent(one);
    await one.return();
    const two = reader();
    expect((await nextEvent(two)).event.id).toBe(second.event.id);
    await two.return();
  });

  it('yields the events of a batch one by one, and acknowledges the whole batch', async () => {
    const options = textOf({ firstEvent: 'oldest', readAhead: 2, batch: true });
    await client.createSubscription({ body: { name: 'batches', filter: textOf({ tag: '^batch$' }), options } });
    await send('batch', 5);
    const items = events({ ...known(), openSocket, name: 'batches' });
    const sequences = await sequencesOf(items, 5);
    expect(new Set(sequences).size).toBe(5);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    await items.return();
  });

  it('ends with the refusal of the node when its subscription is deleted', async () => {
    await client.createSubscription({ body: { name: 'short' } });
    const items = events({ ...known(), openSocket, name: 'short' });
    await items.next();
    const next = items.next();
    await client.deleteSubscription({ path: { subid: 'short' } });
    await expect(next).rejects.toMatchObject({ code: 'FF10173' });
  });
});

describe('past events', () => {
  it('are filtered by the filters of a subscription', async () => {
    await send('judged-a', 2);
    await send('judged-b', 1);
    const count = async (filters: Record<string, string>) =>
      (await newestMatches(client, { filters, count: 10, behind: 0 })).events.length;
    expect(await count({ 'message.tag': '^judged-' })).toBe(3);
    expect(await count({ 'message.tag': '(?i)JUDGED-A', events: 'confirmed$' })).toBe(2);
    expect(await count({ 'message.tag': 'judged', 'message.topics': '^other$' })).toBe(0);
    expect((await newestMatches(client, { filters: {}, count: 2, behind: 0 })).events).toHaveLength(2);
  });
});
