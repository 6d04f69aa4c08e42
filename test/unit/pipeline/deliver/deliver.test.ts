import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../../../src/domain/events/filter.js';
import type { Subscriber } from '../../../../src/ports/subscriber.js';
import { uuid } from '../../../support/fixtures.js';
import { createGate, flush } from '../event-loop.js';
import { aConsumer, aDelivery, aRequest, eventId, to } from './a-delivery.js';

describe('an ephemeral subscription', () => {
  it('delivers the events that are inserted after it began, in order', async () => {
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

  it('delivers complete events with the message and the subscription', async () => {
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

  it('sends one event and readAhead more, and another for each acknowledgement', async () => {
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

  it('sends nothing after an acknowledgement of an unknown event, or a repeated one', async () => {
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
    // A repeated acknowledgement is ignored, and is no error.
    expect(subscription.acknowledge(eventId(1))).toBe(true);
    await flush();
    expect(got).toEqual([1, 2]);
    await delivery.stop();
  });

  it('skips events that its filter does not match by any topic, and they take no place in the window', async () => {
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

  it('delivers no event of another namespace', async () => {
    const { delivery, addEvent } = aDelivery();
    const { got, subscriber } = aConsumer();
    await delivery.subscribe(aRequest(subscriber, { namespace: 'other' }));
    await addEvent({ number: 1 });
    await addEvent({ number: 2, namespace: 'other' });
    await flush();
    expect(got).toEqual([2]);
    await delivery.stop();
  });

  it('delivers more events than a page has', async () => {
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

  it('waits for a slow consumer without delaying others', async () => {
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

  it('ends with the event that it is sending if it is closed meanwhile, also when it has read more', async () => {
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

  it('stores no subscription', async () => {
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

  it('begins after a given sequence', async () => {
    const { delivery, addEvents } = aDelivery();
    const { got, subscriber } = aConsumer();
    await addEvents(1, 2, 3);
    await delivery.subscribe(aRequest(subscriber, { after: 1 }));
    await flush();
    expect(got).toEqual([2, 3]);
    await delivery.stop();
  });

  it('delivers nothing after the node has stopped, also after an acknowledgement', async () => {
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

  it('delivers each event with its own message, even if several messages have the same id', async () => {
    const { delivery, addEvent } = aDelivery();
    const { handovers, subscriber } = aConsumer();
    await delivery.subscribe(aRequest(subscriber));
    const tags = ['a', 'b', 'c', 'd', 'e'];
    for (const [index, tag] of tags.entries()) await addEvent({ number: index + 1, message: 7, tag });
    await flush();
    const events = handovers.flatMap(({ texts }) => texts().map((text): unknown => JSON.parse(text)));
    expect(events).toMatchObject(tags.map((tag) => ({ message: { header: { id: uuid(7), tag } } })));
    await delivery.stop();
  });
});
