import { describe, expect, it } from 'vitest';
import { uuid } from '../../../support/fixtures.js';
import { createGate, flush } from '../event-loop.js';
import { aConsumer, aDelivery, anAttachRequest, eventId, to } from './a-delivery.js';

const id = uuid(9_000);

async function cursorOf(fixture: ReturnType<typeof aDelivery>): Promise<number | undefined> {
  const [row] = await fixture.subscriptions();
  return row?.cursor;
}

describe('a durable subscription', () => {
  it('continues after its cursor, and stores acknowledgements', async () => {
    const fixture = aDelivery();
    const { delivery, addEvents, addSubscription } = fixture;
    await addEvents(...to(5));
    await addSubscription({ cursor: 2, options: { readAhead: 1 } });
    const { got, subscriber } = aConsumer();
    const attachment = await delivery.attach(anAttachRequest(subscriber));
    await flush();
    expect(got).toEqual([3, 4]);
    expect(attachment.acknowledge(eventId(3))).toBe(true);
    await flush();
    expect(got).toEqual([3, 4, 5]);
    expect(await cursorOf(fixture)).toBe(3);
    await delivery.stop();
  });

  it('sends the next event only after an acknowledgement is on disk', async () => {
    const gate = createGate<void>();
    const reach = (name: string) => (name === 'deliver.after-ack' ? gate.passed : Promise.resolve());
    const { delivery, addEvents, addSubscription } = aDelivery({ reach });
    await addEvents(1, 2);
    await addSubscription();
    const { got, subscriber } = aConsumer();
    const attachment = await delivery.attach(anAttachRequest(subscriber));
    await flush();
    attachment.acknowledge();
    await flush();
    expect(got).toEqual([1]);
    gate.open();
    await flush();
    expect(got).toEqual([1, 2]);
    await delivery.stop();
  });

  it('retries to store an acknowledgement when that has failed', async () => {
    let failures = 1;
    const reach = (name: string) =>
      name === 'deliver.after-ack' && failures-- > 0
        ? Promise.reject(new Error('the disk is full'))
        : Promise.resolve();
    const fixture = aDelivery({ reach });
    const { delivery, addEvents, addSubscription, clock } = fixture;
    await addEvents(1);
    await addSubscription();
    const { subscriber } = aConsumer();
    const attachment = await delivery.attach(anAttachRequest(subscriber));
    await flush();
    attachment.acknowledge();
    await flush();
    expect(await cursorOf(fixture)).toBe(0);
    await clock.advance(1_000);
    await flush();
    expect(await cursorOf(fixture)).toBe(1);
    await delivery.stop();
  });

  it('resumes after a crash at the first unacknowledged event', async () => {
    const { delivery, restart, addEvents, addSubscription } = aDelivery();
    await addEvents(...to(5));
    await addSubscription({ options: { readAhead: 4 } });
    const before = aConsumer();
    const attachment = await delivery.attach(anAttachRequest(before.subscriber));
    await flush();
    for (const number of [1, 2, 4]) attachment.acknowledge(eventId(number));
    await flush();
    const after = aConsumer();
    const next = restart();
    await next.attach(anAttachRequest(after.subscriber));
    await flush();
    expect(after.got).toEqual([3, 4, 5]);
    await next.stop();
  });

  it('sends the unacknowledged events again to the next connection, in order, and no others', async () => {
    const { delivery, addEvents, addSubscription } = aDelivery();
    await addEvents(...to(4));
    await addSubscription({ options: { readAhead: 3 } });
    const before = aConsumer();
    const attachment = await delivery.attach(anAttachRequest(before.subscriber));
    await flush();
    for (const number of [1, 3]) attachment.acknowledge(eventId(number));
    await attachment.close();
    expect(attachment.acknowledge(eventId(2))).toBe(false);
    await addEvents(5);
    const after = aConsumer();
    await delivery.attach(anAttachRequest(after.subscriber));
    await flush();
    expect(after.got).toEqual([2, 4, 5]);
    await delivery.stop();
  });

  it('has one active connection; the next one becomes active when it closes', async () => {
    const { delivery, addEvents, addSubscription } = aDelivery();
    await addSubscription({ options: { readAhead: 1 } });
    const consumers = [aConsumer(), aConsumer()] as const;
    const first = await delivery.attach(anAttachRequest(consumers[0].subscriber));
    const second = await delivery.attach(anAttachRequest(consumers[1].subscriber));
    await addEvents(1, 2);
    await flush();
    expect([first.isActive(), second.isActive()]).toEqual([true, false]);
    expect(second.acknowledge(eventId(1))).toBe(false);
    first.acknowledge(eventId(1));
    await flush();
    await first.close();
    await addEvents(3);
    await flush();
    expect(second.isActive()).toBe(true);
    expect(consumers.map(({ got }) => got)).toEqual([
      [1, 2],
      [2, 3],
    ]);
    await delivery.stop();
  });

  it('begins for waiting connections when it is created', async () => {
    const { delivery, addEvents, addSubscription } = aDelivery();
    const { got, subscriber } = aConsumer();
    const attachment = await delivery.attach(anAttachRequest(subscriber));
    expect(attachment.subscription()).toBeUndefined();
    await addEvents(1);
    await addSubscription();
    await flush();
    expect(got).toEqual([1]);
    expect(attachment.subscription()).toEqual({ id, namespace: 'default', name: 'app' });
    await delivery.stop();
  });

  it('ends all its connections when it is deleted; a new one of the same name begins at its own cursor', async () => {
    const { delivery, addEvents, addSubscription, removeSubscription } = aDelivery();
    await addSubscription();
    const consumers = [aConsumer(), aConsumer()] as const;
    for (const { subscriber } of consumers) await delivery.attach(anAttachRequest(subscriber));
    await addEvents(1);
    await flush();
    await removeSubscription();
    await flush();
    await addSubscription({ id: uuid(9_001), cursor: 1 });
    await addEvents(2);
    await flush();
    expect(consumers.map(({ ended, got }) => [ended(), got])).toEqual([
      [1, [1]],
      [1, []],
    ]);
    const { got, subscriber } = aConsumer();
    await delivery.attach(anAttachRequest(subscriber));
    await flush();
    expect(got).toEqual([2]);
    await delivery.stop();
  });

  it('ends a busy connection at once when it is deleted', async () => {
    const { delivery, addEvents, addSubscription, removeSubscription } = aDelivery();
    await addSubscription();
    const gate = createGate<void>();
    const { ended, subscriber } = aConsumer(() => gate.passed);
    await delivery.attach(anAttachRequest(subscriber));
    await addEvents(1);
    await flush();
    await removeSubscription();
    await flush();
    expect(ended()).toBe(1);
    gate.open();
    await delivery.stop();
  });

  it('ends connections of another transport, also when its transport changes', async () => {
    const { delivery, addEvents, addSubscription, replaceSubscription } = aDelivery();
    await addSubscription();
    const [socket, hook] = [aConsumer(), aConsumer()];
    await delivery.attach(anAttachRequest(hook.subscriber, { transport: 'webhooks' }));
    await delivery.attach(anAttachRequest(socket.subscriber));
    await flush();
    expect([socket.ended(), hook.ended()]).toEqual([0, 1]);
    await replaceSubscription({ transport: 'webhooks' });
    await flush();
    await addEvents(1);
    await flush();
    expect([socket.ended(), socket.got]).toEqual([1, []]);
    await delivery.stop();
  });

  it('keeps its position when it is replaced; the new filter applies to events that are not sent yet', async () => {
    const { delivery, addEvent, addSubscription, replaceSubscription } = aDelivery();
    await addSubscription();
    const { got, subscriber } = aConsumer();
    const attachment = await delivery.attach(anAttachRequest(subscriber));
    for (const number of to(6)) await addEvent({ number, topics: [number % 2 === 0 ? 'even' : 'odd'] });
    await flush();
    await replaceSubscription({ filter: { topic: 'even' }, options: { readAhead: 1 } });
    await flush();
    expect(got).toEqual([1, 2]);
    attachment.acknowledge(eventId(1));
    attachment.acknowledge(eventId(2));
    await flush();
    expect(got).toEqual([1, 2, 4, 6]);
    await delivery.stop();
  });

  it('stores its position after many unmatched events, and when the last connection closes', async () => {
    const fixture = aDelivery();
    const { delivery, addEvents, addSubscription } = fixture;
    await addSubscription({ filter: { topic: 'nothing' } });
    const attachment = await delivery.attach(anAttachRequest(aConsumer().subscriber));
    await addEvents(...to(300));
    await expect.poll(() => cursorOf(fixture)).toBeGreaterThanOrEqual(256);
    await addEvents(301);
    await flush();
    await attachment.close();
    await expect.poll(() => cursorOf(fixture)).toBe(301);
    await delivery.stop();
  });

  it('stores its position when the node stops', async () => {
    const fixture = aDelivery();
    const { delivery, addEvents, addSubscription } = fixture;
    await addSubscription({ filter: { topic: 'nothing' } });
    await delivery.attach(anAttachRequest(aConsumer().subscriber));
    await addEvents(1, 2, 3);
    await flush();
    await delivery.stop();
    expect(await cursorOf(fixture)).toBe(3);
  });

  it('counts each event as acknowledged when it is sent, with autoack', async () => {
    const fixture = aDelivery();
    const { delivery, addEvents, addSubscription } = fixture;
    await addSubscription();
    const { got, subscriber } = aConsumer();
    await delivery.attach(anAttachRequest(subscriber, { isAutoack: true }));
    await addEvents(1, 2, 3);
    await flush();
    await expect.poll(() => cursorOf(fixture)).toBe(3);
    expect(got).toEqual([1, 2, 3]);
    await delivery.stop();
  });

  it('reports its position, its connections and the events in flight while it is active', async () => {
    const { delivery, addEvents, addSubscription } = aDelivery();
    await addSubscription({ options: { readAhead: 2 } });
    expect(delivery.activityOf(id)).toBeUndefined();
    const attachment = await delivery.attach(anAttachRequest(aConsumer().subscriber));
    await delivery.attach(anAttachRequest(aConsumer().subscriber));
    await addEvents(1, 2, 3, 4);
    await flush();
    attachment.acknowledge();
    await flush();
    expect(delivery.activityOf(id)).toEqual({ currentOffset: 1, connections: 2, inFlight: 3 });
    await delivery.stop();
  });

  it('delivers all events in order to each of 50 subscriptions', async () => {
    const { delivery, addEvents, addSubscription } = aDelivery();
    const names = to(50).map((number) => `app${number}`);
    for (const [index, name] of names.entries()) await addSubscription({ id: uuid(9_000 + index), name });
    const consumers = names.map(() => aConsumer());
    await Promise.all(
      consumers.map(({ subscriber }, index) =>
        delivery.attach(anAttachRequest(subscriber, { name: names[index] ?? '', isAutoack: true })),
      ),
    );
    await addEvents(...to(10));
    await expect.poll(() => consumers.map(({ got }) => got)).toEqual(names.map(() => to(10)));
    await delivery.stop();
  });
});
