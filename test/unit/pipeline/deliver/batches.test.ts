import { expect, it } from 'vitest';
import { textOf } from '../../../../src/wire/json/json.js';
import { flush } from '../event-loop.js';
import { aConsumer, aDelivery, anAttachRequest, to } from './a-delivery.js';

const options = { readAhead: 3, batch: true, batchTimeout: '50ms' };

async function start() {
  const fixture = aDelivery();
  await fixture.addSubscription({ options });
  const consumer = aConsumer();
  const attachment = await fixture.delivery.attach(anAttachRequest(consumer.subscriber));
  const batches = () => consumer.handovers.map(({ events }) => events.map(({ sequence }) => sequence));
  return { ...fixture, ...consumer, attachment, batches };
}

it('sends a batch when it is full, and the next one when the whole batch is acknowledged', async () => {
  const { delivery, addEvents, attachment, handovers, batches } = await start();
  await addEvents(...to(7));
  await flush();
  expect(batches()).toEqual([[1, 2, 3]]);
  expect(attachment.acknowledge(handovers[0]?.events[0]?.id)).toBe(false);
  expect(attachment.acknowledge(handovers[0]?.id)).toBe(true);
  await flush();
  expect(batches()).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  await delivery.stop();
});

it('sends a batch that is not full when its timeout is over', async () => {
  const { delivery, addEvents, clock, batches } = await start();
  await addEvents(1, 2);
  await flush();
  expect(batches()).toEqual([]);
  await clock.advance(49);
  await flush();
  expect(batches()).toEqual([]);
  await clock.advance(1);
  await flush();
  expect(batches()).toEqual([[1, 2]]);
  await delivery.stop();
});

it.each([
  ['applies a shorter timeout to the batch that is being filled', '10ms', 10],
  ['sends the batch that is being filled if its new timeout is over', '5ms', 8],
  ['applies a longer timeout to the batch that is being filled', '70ms', 70],
])('%s', async (_, batchTimeout, sentMs) => {
  const { delivery, addEvents, replaceSubscription, clock, batches } = await start();
  await addEvents(1, 2);
  await flush();
  await clock.advance(8);
  await replaceSubscription({ options: { ...options, batchTimeout } });
  await flush();
  for (let ms = 8; ms < sentMs; ms++) {
    expect(batches()).toEqual([]);
    await clock.advance(1);
    await flush();
  }
  expect(batches()).toEqual([[1, 2]]);
  await delivery.stop();
});

it('sends a batch as one JSON text with the texts of its events', async () => {
  const { delivery, addEvents, attachment, handovers } = await start();
  await addEvents(1, 2, 3);
  await flush();
  const [handover] = handovers;
  const events = handover?.texts().map((text): unknown => JSON.parse(text));
  const subscription = attachment.subscription();
  expect(events).toHaveLength(3);
  expect(JSON.parse(handover?.text() ?? '')).toEqual({ type: 'event_batch', id: handover?.id, subscription, events });
  await delivery.stop();
});

it('sends an unacknowledged batch again to the next connection, as a batch', async () => {
  const { delivery, addEvents, attachment, batches } = await start();
  await addEvents(1, 2, 3, 4);
  await flush();
  await attachment.close();
  const next = aConsumer();
  await delivery.attach(anAttachRequest(next.subscriber));
  await flush();
  expect(batches()).toEqual([[1, 2, 3]]);
  expect(next.handovers.map(({ events }) => events.map(({ sequence }) => sequence))).toEqual([[1, 2, 3]]);
  await delivery.stop();
});

it('ends a webhook whose options predate batches, without sending it any event', async () => {
  const { delivery, addEvents, addSubscription, replaceSubscription, subscriptions } = aDelivery();
  await addSubscription({ transport: 'webhooks' });
  const attach = async (given = textOf({})) => {
    const consumer = aConsumer();
    await delivery.attach(anAttachRequest(consumer.subscriber, { transport: 'webhooks', options: given }));
    return consumer;
  };
  const before = await attach();
  await replaceSubscription({ options: { ...options, batchTimeout: 0 } });
  await flush();
  await addEvents(1, 2);
  await flush();
  const late = await attach();
  await flush();
  expect([before, late].map(({ ended, got }) => [ended(), got])).toEqual([
    [1, []],
    [1, []],
  ]);
  const after = await attach((await subscriptions())[0]?.options);
  await flush();
  expect([after.ended(), after.got]).toEqual([0, [1, 2]]);
  await delivery.stop();
});
