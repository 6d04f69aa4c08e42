import { expect, test } from 'vitest';
import { createGate, flush } from '../event-loop.js';
import { aConsumer, aDelivery, anAttachRequest, eventId } from './a-delivery.js';

/** Creates a subscription that is sending event 1; event 2 does not match its filter. */
async function whileSending() {
  const fixture = aDelivery();
  const gate = createGate<undefined>();
  const consumer = aConsumer(async () => {
    await gate.passed;
  });
  await fixture.addSubscription({ filter: { topic: 'wanted' }, options: { readAhead: 5 } });
  await fixture.addEvent({ number: 1, topics: ['wanted'] });
  await fixture.addEvent({ number: 2, topics: ['other'] });
  const attachment = await fixture.delivery.attach(anAttachRequest(consumer.subscriber));
  await flush();
  expect(consumer.got).toEqual([1]);
  const proceed = async (): Promise<void> => {
    gate.open(undefined);
    await flush();
    await flush();
  };
  return { ...fixture, ...consumer, attachment, proceed };
}

test('an event that the old filter skipped is not sent after the filter was replaced during a delivery', async () => {
  const { replaceSubscription, got, proceed, delivery, addEvent } = await whileSending();
  await replaceSubscription({ filter: {} });
  await flush();
  await addEvent({ number: 3, topics: ['other'] });
  await proceed();
  expect(got).toEqual([1, 3]);
  await delivery.stop();
});

test('an acknowledgement during a delivery stores the position after events that do not match', async () => {
  const { attachment, proceed, delivery, subscriptions } = await whileSending();
  expect(attachment.acknowledge(eventId(1))).toBe(true);
  await flush();
  expect((await subscriptions())[0]?.cursor).toBe(2);
  await proceed();
  await delivery.stop();
});
