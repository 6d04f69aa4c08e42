import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../../../src/domain/events/filter.js';
import type { Subscriber } from '../../../../src/ports/subscriber.js';
import { uuid } from '../../../support/fixtures.js';
import { createGate, flush } from '../event-loop.js';
import { aConsumer, aDelivery, aRequest, eventId, to } from './a-delivery.js';

describe('an ephemeral subscription', () => {
  it('begins with what is inserted after it was asked for, and goes on in order', async () => {
    const { delivery, addEvents } = aDelivery();
    const { got, subscriber } = aConsumer();
    await addEvents(1, 2);
    await delivery.subscribe(aRequest(subscriber));
    await addEvents(3, 4);
    await flush();
    await addEvents(5);
    await flush();
    expect(got).toEqual([3, 4, 5]);
    await delivery.stop();
  });

  it('hands over whole events with the message and the subscription', async () => {
    const { delivery, addEvents } = aDelivery();
    const frames: string[] = [];
    const subscriber: Subscriber = { deliver: async ({ text }) => void frames.push(text()), end: () => undefined };
    const subscription = await delivery.subscribe(aRequest(subscriber));
    await addEvents(1);
    await flush();
    expect(frames.map((frame): unknown => JSON.parse(frame))).toEqual([
      expect.objectContaining({
        id: eventId(1),
        sequence: 1,
        type: 'message_confirmed',
        namespace: 'default',
        reference: uuid(1),
        topic: 'orders',
        tx: uuid(2),
        subscription: subscription.subscription(),
        message: expect.objectContaining({ state: 'confirmed', batch: uuid(1), batchID: uuid(1) }) as unknown,
      }),
    ]);
    await delivery.stop();
  });

  it('sends one and as many ahead as were asked for, and the next when one is acknowledged', async () => {
    const { delivery, addEvents } = aDelivery();
    const { got, subscriber } = aConsumer();
    const subscription = await delivery.subscribe(aRequest(subscriber, { isAutoack: false, flow: { readAhead: 2 } }));
    await addEvents(...to(6));
    await flush();
    expect(got).toEqual([1, 2, 3]);
    expect(subscription.acknowledge(eventId(2))).toBe(true);
    await flush();
    expect(got).toEqual([1, 2, 3, 4]);
    expect(subscription.acknowledge()).toBe(true);
    expect(subscription.acknowledge()).toBe(true);
    await flush();
    expect(got).toEqual([1, 2, 3, 4, 5, 6]);
    await delivery.stop();
  });

  it('makes no room for an acknowledgement of what is not in flight, or again', async () => {
    const { delivery, addEvents } = aDelivery();
    const { got, subscriber } = aConsumer();
    const subscription = await delivery.subscribe(aRequest(subscriber, { isAutoack: false }));
    await addEvents(...to(3));
    await flush();
    expect(subscription.acknowledge(uuid(4_711))).toBe(false);
    await flush();
    expect(got).toEqual([1]);
    expect(subscription.acknowledge(eventId(1))).toBe(true);
    await flush();
    // The same once more is ignored, and it is not an error.
    expect(subscription.acknowledge(eventId(1))).toBe(true);
    await flush();
    expect(got).toEqual([1, 2]);
    await delivery.stop();
  });

  it('passes over what its filter does not want, without taking up room, and any topic will do', async () => {
    const { delivery, addEvent } = aDelivery();
    const { got, subscriber } = aConsumer();
    const filter = compileFilter(new Map([['topic', '^bills$']]));
    await delivery.subscribe(aRequest(subscriber, { filter, isAutoack: false, flow: { readAhead: 1 } }));
    await addEvent({ number: 1 });
    await addEvent({ number: 2, topics: ['orders', 'bills'] });
    await addEvent({ number: 3, topics: ['billboards'] });
    await addEvent({ number: 4, topics: ['bills'] });
    await addEvent({ number: 5, topics: ['bills'] });
    await flush();
    expect(got).toEqual([2, 4]);
    await delivery.stop();
  });

  it('has nothing of another namespace', async () => {
    const { delivery, addEvent } = aDelivery();
    const { got, subscriber } = aConsumer();
    await delivery.subscribe(aRequest(subscriber, { namespace: 'other' }));
    await addEvent({ number: 1 });
    await addEvent({ number: 2, namespace: 'other' });
    await flush();
    expect(got).toEqual([2]);
    await delivery.stop();
  });

  it('goes beyond a page of events', async () => {
    const { delivery, addEvents } = aDelivery();
    const { got, subscriber } = aConsumer();
    const gate = createGate<void>();
    const slow = aConsumer((number) => (number === 1 ? gate.passed : Promise.resolve()));
    await delivery.subscribe(aRequest(subscriber));
    await delivery.subscribe(aRequest(slow.subscriber));
    await addEvents(...to(450));
    gate.open();
    await expect.poll(() => [got.length, slow.got.length]).toEqual([450, 450]);
    expect(got).toEqual(to(450));
    expect(slow.got).toEqual(to(450));
    await delivery.stop();
  });

  it('waits for a slow consumer, and lets no other wait for it', async () => {
    const { delivery, addEvents } = aDelivery();
    const gate = createGate<void>();
    const slow = aConsumer(() => gate.passed);
    const quick = aConsumer();
    await delivery.subscribe(aRequest(slow.subscriber));
    await delivery.subscribe(aRequest(quick.subscriber));
    await addEvents(1, 2, 3);
    await flush();
    expect([slow.got, quick.got]).toEqual([[1], [1, 2, 3]]);
    gate.open();
    await flush();
    expect(slow.got).toEqual([1, 2, 3]);
    await delivery.stop();
  });

  it('closed while it sends, ends with what it is sending, also when it has read more', async () => {
    const { delivery, addEvents } = aDelivery();
    const gates = [createGate<void>(), createGate<void>()];
    const { got, subscriber } = aConsumer((number) => gates[number - 1]?.passed ?? Promise.resolve());
    const subscription = await delivery.subscribe(aRequest(subscriber));
    await addEvents(1, 2, 3, 4);
    gates[0]?.open();
    await flush();
    expect(got).toEqual([1, 2]);
    let isClosed = false;
    const closed = subscription.close().then(() => (isClosed = true));
    await flush();
    expect(isClosed).toBe(false);
    gates[1]?.open();
    await closed;
    await addEvents(5);
    await flush();
    expect(got).toEqual([1, 2]);
  });

  it('leaves nothing behind', async () => {
    const { delivery, addEvents, subscriptions } = aDelivery();
    const { got, subscriber } = aConsumer();
    const subscription = await delivery.subscribe(aRequest(subscriber));
    await addEvents(1);
    await flush();
    await subscription.close();
    expect(got).toEqual([1]);
    expect(await subscriptions()).toEqual([]);
    await delivery.stop();
  });

  it('begins after a sequence where that is asked for', async () => {
    const { delivery, addEvents } = aDelivery();
    const { got, subscriber } = aConsumer();
    await addEvents(1, 2, 3);
    await delivery.subscribe(aRequest(subscriber, { after: 1 }));
    await flush();
    expect(got).toEqual([2, 3]);
    await delivery.stop();
  });

  it('stopped, closes every subscription, and is deaf to acknowledgements', async () => {
    const { delivery, addEvents, defects } = aDelivery();
    const consumers = [aConsumer(), aConsumer()];
    const [first] = await Promise.all(
      consumers.map(({ subscriber }) => delivery.subscribe(aRequest(subscriber, { isAutoack: false }))),
    );
    await addEvents(1, 2);
    await flush();
    await delivery.stop();
    first?.acknowledge();
    await addEvents(3);
    await flush();
    expect(consumers.map(({ got }) => got)).toEqual([[1], [1]]);
    expect(defects).toEqual([]);
  });

  it('tells the events of messages with one id apart, however many there are', async () => {
    const { delivery, addEvent } = aDelivery();
    const { got, subscriber } = aConsumer();
    await delivery.subscribe(aRequest(subscriber));
    for (const [index, tag] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      await addEvent({ number: 7 + (index << 20), tag });
    }
    await flush();
    expect(got).toHaveLength(5);
    await delivery.stop();
  });
});
