import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { every } from '../../../src/ports/tables/where.js';
import { offsetOf, subscribe } from '../../support/consumer.js';
import { startTestNetwork, type TestNetwork, type TestNode } from '../../support/node.js';
import { storeEvents } from '../../support/stored-events.js';
import {
  expectRefusal,
  type Frame,
  openStream,
  refusedStream,
  sendTagged,
  shownSubscriptions,
  type StreamClient,
} from '../../support/stream-client.js';

let network: TestNetwork;
let node: TestNode;
beforeEach(async () => {
  network = await startTestNetwork(['alice'], { namespaces: ['default', 'trade'] });
  node = network.node;
});
afterEach(async () => {
  expect(node.fatal).toEqual([]);
  await network.stop();
});

function tagOf({ message }: Frame): string | undefined {
  return message?.header.tag;
}

async function isActive(stream: StreamClient): Promise<boolean | undefined> {
  return (await shownSubscriptions(node, stream))?.[0]?.active;
}

async function deleteSubscription(id: string): Promise<void> {
  const response = await fetch(`${node.url}/api/v1/subscriptions/${id}`, { method: 'DELETE' });
  expect(response.status).toBe(204);
}

describe('two sockets on one durable subscription', () => {
  it('get each event once, on the socket that connected first', async () => {
    await subscribe(node.url, 'app');
    const leader = await openStream(node, '/ws?name=app&autoack');
    const standby = await openStream(node, '/ws?name=app');
    expect([await isActive(leader), await isActive(standby)]).toEqual([true, false]);
    for (const tag of ['a', 'b', 'c']) await sendTagged(node, tag);
    await leader.frame(3);
    await leader.close();
    await sendTagged(node, 'd');
    expect(tagOf(await standby.frame(1))).toBe('d');
    expect(leader.frames.map(tagOf)).toEqual(['a', 'b', 'c']);
  });

  it('hand over unacknowledged events, lowest first, when the first socket dies without closing', async () => {
    await subscribe(node.url, 'app', { options: { readAhead: 3 } });
    const leader = await openStream(node, '/ws?name=app');
    const standby = await openStream(node, '/ws?name=app');
    for (const tag of ['a', 'b', 'c', 'd', 'e']) await sendTagged(node, tag);
    const frames = [await leader.frame(1), await leader.frame(2), await leader.frame(3), await leader.frame(4)];
    for (const frame of [frames[0], frames[2]]) if (frame !== undefined) leader.acknowledge(frame);
    // The fifth has arrived: both acknowledgements have been handled, and made room for it.
    await leader.frame(5);
    leader.socket.terminate();
    for (let n = 1; n <= 3; n++) standby.acknowledge(await standby.frame(n));
    await sendTagged(node, 'f');
    await standby.frame(4);
    expect(standby.frames.map(tagOf)).toEqual(['b', 'd', 'e', 'f']);
  });

  it('let a third one continue after everything that both have acknowledged', async () => {
    const id = await subscribe(node.url, 'app');
    const tags = ['a', 'b', 'c'];
    for (const tag of tags) await sendTagged(node, tag);
    const got: (string | undefined)[] = [];
    for (const tag of tags) {
      const stream = await openStream(node, '/ws?name=app');
      const frame = await stream.frame(1);
      got.push(tagOf(frame));
      stream.acknowledge(frame);
      await expect.poll(() => offsetOf(node.url, id)).toBeGreaterThanOrEqual(frame.sequence);
      expect(tag).toBe(tagOf(frame));
      stream.socket.terminate();
    }
    expect(got).toEqual(tags);
  });
});

describe('the end of a subscription', () => {
  it('is FF10173 on every socket that has it, and on no other', async () => {
    const id = await subscribe(node.url, 'app');
    const [active, standby] = [await openStream(node, '/ws?name=app'), await openStream(node, '/ws?name=app')];
    const other = await openStream(node, '/ws?ephemeral&autoack&filter.events=message');
    await deleteSubscription(id);
    await expectRefusal(active, 'FF10173');
    await expectRefusal(standby, 'FF10173');
    await sendTagged(node, 'still');
    await other.frame(1);
  });

  it('lets a new one of that name start afresh', async () => {
    const id = await subscribe(node.url, 'app');
    await sendTagged(node, 'old');
    await deleteSubscription(id);
    await subscribe(node.url, 'app');
    const stream = await openStream(node, '/ws?name=app');
    await sendTagged(node, 'new');
    expect(tagOf(await stream.frame(1))).toBe('new');
  });
});

describe('a subscription of a name', () => {
  it('continues after the last acknowledgement when its socket has died and when the node has restarted', async () => {
    const id = await subscribe(node.url, 'app');
    for (const tag of ['a', 'b', 'c']) await sendTagged(node, tag);
    const first = await openStream(node, '/ws?name=app');
    first.acknowledge(await first.frame(1));
    const { sequence } = await first.frame(2);
    first.socket.terminate();
    await network.restart();
    node = network.node;
    expect(await offsetOf(node.url, id)).toBeLessThan(sequence);
    const second = await openStream(node, '/ws?name=app');
    for (let n = 1; n <= 2; n++) second.acknowledge(await second.frame(n));
    await sendTagged(node, 'd');
    await second.frame(3);
    expect(second.frames.map(tagOf)).toEqual(['b', 'c', 'd']);
  });

  it('is refused by a webhook of that name, which is not for sockets', async () => {
    const response = await fetch(`${node.url}/api/v1/subscriptions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"hook","transport":"webhooks","options":{"url":"http://127.0.0.1:9/"}}',
    });
    expect(response.status).toBe(201);
    await expectRefusal(await openStream(node, '/ws?name=hook'), 'FF10173');
  });
});

it('an ephemeral subscription delivers what is sent after its opening, 500 times, and leaves nothing', async () => {
  const streams: StreamClient[] = [];
  for (let round = 0; round < 500; round++) {
    const stream = await openStream(node, '/ws?ephemeral&autoack&filter.events=message');
    const id = await sendTagged(node, `round-${round}`);
    expect((await stream.frame(1)).reference).toBe(id);
    stream.socket.terminate();
    streams.push(stream);
  }
  await Promise.all(streams.map(({ closed }) => closed));
  await expect
    .poll(async () => (await fetch(`${node.url}/api/v1/websockets`)).json())
    .toEqual({
      enabled: true,
      connections: [],
    });
  expect(await node.database.count('subscriptions', { namespace: every })).toBe(0);
}, 120_000);

describe('GET websockets', () => {
  it('lists for each namespace its subscriptions, and their clients', async () => {
    await subscribe(node.url, 'app', { filter: { message: { tag: '^a$' } } });
    const stream = await openStream(node, '/ws?name=app');
    stream.send({ type: 'start', namespace: 'default', name: 'none-yet' });
    stream.send({ type: 'start', namespace: 'trade', ephemeral: true, filter: { 'message.tag': 'x', topic: 'y' } });
    await expect.poll(() => shownSubscriptions(node, stream, 'trade')).toHaveLength(1);
    const startTime = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    expect(await shownSubscriptions(node, stream)).toEqual([
      {
        startTime,
        ephemeral: false,
        namespace: 'default',
        name: 'app',
        filter: { message: { tag: '^a$' }, blockchainevent: {}, transaction: {} },
        active: true,
      },
      { startTime, ephemeral: false, namespace: 'default', name: 'none-yet', filter: {}, active: false },
    ]);
    expect(await shownSubscriptions(node, stream, 'trade')).toEqual([
      {
        startTime,
        ephemeral: true,
        namespace: 'trade',
        filter: { topic: 'y', message: { tag: 'x' } },
        active: true,
      },
    ]);
  });

  it.each([
    ['/ws', 'default'],
    ['/ws?namespace=trade', 'trade'],
    ['/ws?namespace=trade&changes', 'trade'],
    ['/api/v1/namespaces/trade/ws', 'trade'],
  ])('shows the socket %s, on which nothing has begun, in %s alone', async (target, home) => {
    const stream = await openStream(node, target);
    for (const namespace of ['default', 'trade']) {
      const shown = await shownSubscriptions(node, stream, namespace);
      expect(shown, namespace).toEqual(namespace === home ? [] : undefined);
    }
  });

  it('lists a socket in the namespace of its subscriptions instead', async () => {
    const stream = await openStream(node, '/ws');
    stream.send({ type: 'start', namespace: 'trade', ephemeral: true });
    await expect.poll(() => shownSubscriptions(node, stream, 'trade')).toHaveLength(1);
    expect(await shownSubscriptions(node, stream)).toBeUndefined();
  });
});

describe('a node', () => {
  it('accepts 1,000 sockets, and another one when one of them has closed', async () => {
    const open = Array.from({ length: 999 }, () => openStream(node, '/ws'));
    const [first] = await Promise.all(open);
    const last = await openStream(node, '/ws?ephemeral&autoack&filter.events=message');
    const { status, body } = await refusedStream(node, '/ws?ephemeral&filter.events=message');
    expect([status, body]).toEqual([429, expect.stringContaining('PY1008')]);
    await sendTagged(node, 'as-ever');
    await last.frame(1);
    await first?.close();
    await expect
      .poll(() =>
        openStream(node, '/ws').then(
          () => 'open',
          () => 'refused',
        ),
      )
      .toBe('open');
  });

  it('starts 1,000 subscriptions on a socket, and no more', async () => {
    const stream = await openStream(node, '/ws');
    const begin = () => {
      stream.send({ type: 'start', namespace: 'default', ephemeral: true, filter: { events: '^none$' } });
    };
    for (let i = 0; i < 1_000; i++) begin();
    await expect.poll(() => shownSubscriptions(node, stream)).toHaveLength(1_000);
    begin();
    await expectRefusal(stream, 'FF10178');
    expect(stream.frames.at(-1)?.error).toContain('PY1008');
  });

  it('closes with 1001 when it stops, for clients that answer and clients that do not', async () => {
    const [polite, silent] = [
      await openStream(node, '/ws?ephemeral&filter.events=message'),
      await openStream(node, '/ws?ephemeral'),
    ];
    silent.socket.pause();
    await network.restart();
    node = network.node;
    expect(await polite.closed).toBe(1001);
    silent.socket.resume();
    expect(await silent.closed).toBe(1001);
  });

  it('delays only the consumer that does not read', async () => {
    const stalled = await openStream(node, '/ws?ephemeral&autoack&filter.events=message');
    const other = await openStream(node, '/ws?ephemeral&autoack&filter.events=message');
    stalled.socket.pause();
    const count = 20_000;
    await storeEvents(node.database, { count });
    await sendTagged(node, 'behind');
    expect(tagOf(await other.frame(count + 1))).toBe('behind');
    expect(stalled.frames.length).toBeLessThan(count);
    stalled.socket.resume();
    expect(tagOf(await stalled.frame(count + 1))).toBe('behind');
    expect(new Set(stalled.frames.map(({ id }) => id)).size).toBe(count + 1);
  });
});
