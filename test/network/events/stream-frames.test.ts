import { beforeAll, describe, expect, it } from 'vitest';
import { subscribe } from '../../support/consumer.js';
import type { TestNode } from '../../support/node.js';
import { oneNode } from '../../support/one-node.js';
import {
  expectRefusal,
  type Frame,
  openStream,
  sendTagged,
  shownSubscriptions,
  type StreamClient,
} from '../../support/stream-client.js';

const theNode = oneNode();
let node: TestNode;
beforeAll(() => {
  node = theNode();
});

const nobody = '3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11';

function start(members: object): object {
  return { type: 'start', namespace: 'default', ...members };
}

/** Opens a socket on which ephemeral subscriptions to these tags have begun, in this order. */
async function streamOf(tags: readonly string[], autoack = false): Promise<StreamClient> {
  const stream = await openStream(node, '/ws');
  for (const tag of tags) {
    const filter = { message: { tag: `^${tag}$` } };
    stream.send(start({ ephemeral: true, autoack, filter, options: { readAhead: 9 } }));
  }
  await begun(stream, tags.length);
  return stream;
}

/** Waits until this many subscriptions are listed, since a `start` has no answer. */
async function begun(stream: StreamClient, count: number): Promise<void> {
  await expect.poll(() => shownSubscriptions(node, stream), { interval: 5 }).toHaveLength(count);
}

function tagsOf(frames: readonly Frame[]): (string | undefined)[] {
  return frames.map(({ message }) => message?.header.tag);
}

describe('a start frame', () => {
  it('begins an ephemeral subscription with its filter and options', async () => {
    const stream = await streamOf(['yes']);
    await sendTagged(node, 'no');
    await sendTagged(node, 'yes');
    const frame = await stream.frame(1);
    expect(frame.message?.header.tag).toBe('yes');
    expect(frame.subscription.name).toBe(frame.subscription.id);
    await stream.close();
  });

  // FireFly's own types are written like this in Go if nothing was set.
  it.each([
    ['an ephemeral one', { name: '', ephemeral: true, options: { batchTimeout: '', firstEvent: '', readAhead: null } }],
    ['a durable one', { name: 'of-go', ephemeral: false, options: { batch: null } }],
  ])('of %s may have every member, empty where nothing was set', async (_, members) => {
    const stream = await openStream(node, '/api/v1/namespaces/default/ws');
    const filter = { events: '', message: { tag: '' }, transaction: {}, blockchainevent: {} };
    stream.send({ type: 'start', namespace: '', autoack: null, filter, ...members });
    await begun(stream, 1);
    await stream.close();
  });

  it('begins at the event that it names', async () => {
    const id = await sendTagged(node, 'earlier');
    const observer = await openStream(node, '/ws?ephemeral&autoack&firstEvent=oldest&filter.message.tag=%5Eearlier%24');
    const { sequence } = await observer.frame(1);
    const stream = await openStream(node, '/ws');
    stream.send(start({ ephemeral: true, options: { firstEvent: String(sequence - 1) } }));
    expect((await stream.frame(1)).reference).toBe(id);
    await Promise.all([observer.close(), stream.close()]);
  });

  it('for a durable name that does not exist begins when the subscription is created', async () => {
    const stream = await openStream(node, '/ws');
    stream.send(start({ name: 'to-come' }));
    await begun(stream, 1);
    expect(await shownSubscriptions(node, stream)).toMatchObject([
      { name: 'to-come', ephemeral: false, active: false },
    ]);
    const id = await subscribe(node.url, 'to-come');
    await sendTagged(node, 'first');
    expect((await stream.frame(1)).subscription).toEqual({ id, namespace: 'default', name: 'to-come' });
    expect(await shownSubscriptions(node, stream)).toMatchObject([{ name: 'to-come', active: true }]);
    await stream.close();
  });

  it('for a durable name that has begun on the socket changes nothing', async () => {
    await subscribe(node.url, 'twice');
    const stream = await openStream(node, '/ws');
    for (let i = 0; i < 2; i++) stream.send(start({ name: 'twice' }));
    stream.send(start({ ephemeral: true, filter: { events: '^never$' } }));
    await begun(stream, 2);
    await sendTagged(node, 'once');
    stream.acknowledge(await stream.frame(1));
    await sendTagged(node, 'more');
    await stream.frame(2);
    expect(tagsOf(stream.frames)).toEqual(['once', 'more']);
    await stream.close();
  });

  it.each([
    ['without a namespace', { type: 'start', ephemeral: true }],
    ['with neither a name nor ephemeral', start({})],
    ['with a name and ephemeral', start({ name: 'app', ephemeral: true })],
    ['with a name that no subscription can have', start({ name: '-' })],
    ['with a filter beside a name', start({ name: 'app', filter: { events: 'x' } })],
    ['with options beside a name', start({ name: 'app', options: { readAhead: 5 } })],
    ['with an unknown namespace', start({ namespace: 'nowhere', ephemeral: true })],
    ['with an unknown filter', start({ ephemeral: true, filter: { evnts: 'x' } })],
    ['with an expression that is none', start({ ephemeral: true, filter: { events: '(' } })],
    [
      'with a filter in another script that is none',
      start({ ephemeral: true, filter: { ['größe🦜'.repeat(20)]: 'x' } }),
    ],
    ['with an unknown option', start({ ephemeral: true, options: { readahed: 1 } })],
    ['with data', start({ ephemeral: true, options: { withData: true } })],
    ['with autoack that is no boolean', start({ ephemeral: true, autoack: 'yes' })],
  ])('%s is FF10178', async (_, frame) => {
    const stream = await openStream(node, '/ws');
    stream.send(frame);
    await expectRefusal(stream, 'FF10178');
  });

  it('accepts empty filters and options next to a name, which have no effect', async () => {
    const stream = await openStream(node, '/ws');
    stream.send(start({ name: 'quiet', filter: {}, options: null }));
    await begun(stream, 1);
    await stream.close();
  });

  it('whose autoack differs from the first is FF10179', async () => {
    const stream = await openStream(node, '/ws');
    stream.send(start({ ephemeral: true, autoack: true }));
    stream.send(start({ ephemeral: true }));
    stream.send(start({ ephemeral: true, autoack: false }));
    await expectRefusal(stream, 'FF10179');
  });

  it('has the autoack of the handshake by default', async () => {
    const stream = await openStream(node, '/ws?autoack');
    stream.send(start({ ephemeral: true }));
    await begun(stream, 1);
    await sendTagged(node, 'a');
    await sendTagged(node, 'b');
    await stream.frame(2);
    await stream.close();
  });
});

describe('an acknowledgement', () => {
  it('counts for one subscription, even if another of the socket has the same event', async () => {
    const stream = await streamOf(['both|x', 'both|y']);
    await sendTagged(node, 'both');
    const [one, other] = [await stream.frame(1), await stream.frame(2)];
    expect(one.id).toBe(other.id);
    expect(one.subscription.id).not.toBe(other.subscription.id);
    stream.acknowledge(one);
    stream.acknowledge(other);
    // Both are acknowledged: nothing is in flight any more.
    stream.send({ type: 'ack', subscription: { id: one.subscription.id } });
    await expectRefusal(stream, 'FF10175');
  });

  it('by namespace and name is equivalent to one by id', async () => {
    const id = await subscribe(node.url, 'by-name');
    const stream = await openStream(node, '/ws');
    stream.send(start({ name: 'by-name' }));
    stream.send(start({ ephemeral: true, filter: { events: '^never$' } }));
    await begun(stream, 2);
    await sendTagged(node, 'a');
    await sendTagged(node, 'b');
    const { id: event } = await stream.frame(1);
    stream.send({ type: 'ack', id: event, subscription: { namespace: 'default', name: 'by-name' } });
    const second = await stream.frame(2);
    expect(tagsOf(stream.frames)).toEqual(['a', 'b']);
    stream.send({ type: 'ack', id: second.id.toUpperCase(), subscription: { id: id.toUpperCase() } });
    await sendTagged(node, 'c');
    await stream.frame(3);
    await stream.close();
  });

  it('without id is for the oldest in flight', async () => {
    const stream = await openStream(node, '/ws?ephemeral&readahead=1&filter.events=message');
    for (const tag of ['a', 'b', 'c']) await sendTagged(node, tag);
    const [first] = [await stream.frame(1), await stream.frame(2)];
    stream.send({ type: 'ack' });
    await stream.frame(3);
    // A repeated acknowledgement is ignored, which shows that the first one was for the oldest.
    stream.acknowledge(first);
    stream.send({ type: 'ack' });
    await sendTagged(node, 'd');
    await stream.frame(4);
    expect(tagsOf(stream.frames)).toEqual(['a', 'b', 'c', 'd']);
    await stream.close();
  });

  it('that is repeated is ignored', async () => {
    const stream = await openStream(node, '/ws?ephemeral&filter.events=message');
    await sendTagged(node, 'a');
    const first = await stream.frame(1);
    for (let i = 0; i < 3; i++) stream.acknowledge(first);
    await sendTagged(node, 'b');
    expect((await stream.frame(2)).message?.header.tag).toBe('b');
    await stream.close();
  });

  it('of a batch has the id of its frame', async () => {
    const stream = await openStream(node, '/ws?ephemeral&batch&batchtimeout=5&readahead=2&filter.events=message');
    const ids = [await sendTagged(node, 'a'), await sendTagged(node, 'b'), await sendTagged(node, 'c')];
    const references: string[] = [];
    for (let n = 1; references.length < ids.length; n++) {
      const batch = await stream.frame(n);
      expect(batch).toMatchObject({ type: 'event_batch', subscription: { namespace: 'default' } });
      expect(batch.events?.length).toBeLessThanOrEqual(2);
      for (const event of batch.events ?? []) {
        expect(event.subscription).toEqual(batch.subscription);
        references.push(event.reference);
      }
      stream.acknowledge(batch);
    }
    expect(references).toEqual(ids);
    await stream.close();
  });

  it('of an event inside a batch is FF10175', async () => {
    const stream = await openStream(node, '/ws?ephemeral&batch=true&batchTimeout=5ms&filter.events=message');
    await sendTagged(node, 'a');
    const batch = await stream.frame(1);
    stream.send({ type: 'ack', id: batch.events?.[0]?.id });
    await expectRefusal(stream, 'FF10175');
  });

  it('without subscription is FF10175 when two have begun, and when none has', async () => {
    const two = await streamOf(['a', 'b']);
    await sendTagged(node, 'a');
    const { id } = await two.frame(1);
    two.send({ type: 'ack', id });
    await expectRefusal(two, 'FF10175');
    const none = await openStream(node, '/ws');
    none.send({ type: 'ack' });
    await expectRefusal(none, 'FF10175');
  });

  it.each([
    ['of what was not sent', { type: 'ack', id: nobody }],
    ['with nothing in flight', { type: 'ack' }],
    ['for another subscription', { type: 'ack', subscription: { id: nobody } }],
    ['for another name', { type: 'ack', subscription: { namespace: 'default', name: 'other' } }],
    ['with an id that is no text', { type: 'ack', id: 5 }],
    ['with a subscription that is no object', { type: 'ack', subscription: 'app' }],
  ])('%s is FF10175', async (_, frame) => {
    const stream = await openStream(node, '/ws?ephemeral&filter.events=message');
    stream.send(frame);
    await expectRefusal(stream, 'FF10175');
  });

  it('on an autoack socket is ignored, whatever it names', async () => {
    const stream = await streamOf(['after'], true);
    stream.send({ type: 'ack', id: nobody });
    stream.send({ type: 'ack', subscription: { name: 'nobody' } });
    await sendTagged(node, 'after');
    await stream.frame(1);
    await stream.close();
  });
});
