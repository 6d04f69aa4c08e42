import { expect, test } from 'vitest';
import { createGate, flush } from '../event-loop.js';
import { aConsumer, aDelivery, anAttachRequest, eventId } from './a-delivery.js';

/** A subscription to `wanted` with its first event, 1, being handed over, and one behind it that does not match. */
async function handingOver() {
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

test('what was looked at and does not match stays behind when the filter is replaced during a handover', async () => {
  const { replaceSubscription, got, proceed, delivery, addEvent } = await handingOver();
  await replaceSubscription({ filter: {} });
  await flush();
  await addEvent({ number: 3, topics: ['other'] });
  await proceed();
  expect(got).toEqual([1, 3]);
  await delivery.stop();
});

test('an acknowledgement during a handover stores the position behind what does not match, too', async () => {
  const { attachment, proceed, delivery, subscriptions } = await handingOver();
  expect(attachment.acknowledge(eventId(1))).toBe(true);
  await flush();
  expect((await subscriptions())[0]?.cursor).toBe(2);
  await proceed();
  await delivery.stop();
});
