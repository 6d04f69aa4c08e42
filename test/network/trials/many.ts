import { createHttpClient } from '../../../src/bench/http.js';
import { consume, subscribe } from '../../support/consumer.js';
import { createEventStack, megabytes, soon } from './event-stack.js';
import { inParallel, send, type Verdicts } from './history.js';

/** Very many durable subscriptions at once, each complete and in order. */
export async function tryMany(
  root: string,
  { subscriptions, messages }: { readonly subscriptions: number; readonly messages: number },
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  const events = await createEventStack(root);
  const { url } = events;
  const http = createHttpClient();
  try {
    const names = Array.from({ length: subscriptions }, (_, index) => `many-${index}`);
    const options = { readAhead: 10 };
    await inParallel(names.length, 16, (index) =>
      subscribe(url, names[index] ?? '', { filter: { tag: '^many$' }, options }),
    );
    const consumers = names.map((name) => consume(url, `name=${name}`, { isAcknowledging: true }));
    await Promise.all(consumers.map(({ opened }) => opened));
    const startMs = performance.now();
    const header = { tag: 'many', topics: ['many'] };
    const sent = await inParallel(messages, 1, (index) =>
      send(http, url, 'messages/broadcast', { header, data: [{ value: index }] }),
    );
    await soon('everything came', () => consumers.every(({ frames }) => frames.length >= messages), 300_000);
    const seconds = (performance.now() - startMs) / 1_000;
    const deliveries = subscriptions * messages;
    print(
      `${deliveries} deliveries in ${seconds.toFixed(1)} s: ${Math.round(deliveries / seconds)}/s; ` +
        `the node has ${megabytes(await events.residentBytes())}`,
    );
    const complete = consumers.filter(({ frames }) => frames.map(({ reference }) => reference).join() === sent.join());
    verdicts.expect(
      `each of ${subscriptions} subscriptions has each of ${messages} events once, in order`,
      complete.length === subscriptions,
      `${complete.length} have`,
    );
    for (const consumer of consumers) consumer.kill();
  } finally {
    http.close();
    await events.remove();
  }
}
