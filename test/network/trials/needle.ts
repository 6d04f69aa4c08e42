import { consume, subscribe } from '../../support/consumer.js';
import { onEventStack, soon } from './event-stack.js';
import type { Verdicts } from './history.js';

const maxSeconds = 5;

/** Searches one matching event among very many others: it must be found soon, also when the node was just killed. */
export async function tryNeedle(
  root: string,
  { count }: { readonly count: number },
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  await onEventStack(root, async (events) => {
    const { url } = events;
    const startMs = performance.now();
    const ids = await events.store({ count: count + 1, tagOf: (index) => (index === count ? 'needle' : 'hay') });
    print(`stored ${ids.length} events in ${((performance.now() - startMs) / 1_000).toFixed(1)} s`);
    const wanted = { filter: { tag: '^needle$' }, options: { firstEvent: 'oldest' } };

    const find = async (name: string, what: string): Promise<void> => {
      const consumer = consume(url, `name=${name}`);
      const tookMs = await soon('the event came', () => consumer.count() > 0);
      verdicts.expect(`${what}: the one event came`, consumer.frames[0]?.reference === ids[count]);
      const detail = `${(tookMs / 1_000).toFixed(2)} s`;
      verdicts.expect(`${what}: within ${maxSeconds} s of connecting`, tookMs < maxSeconds * 1_000, detail);
      consumer.kill();
    };
    await subscribe(url, 'first', wanted);
    await find('first', 'the first time');
    await events.kill();
    await find('first', 'after a restart, unacknowledged');
    await subscribe(url, 'second', wanted);
    await events.kill();
    await find('second', 'after a restart, never connected before');
    const { options } = wanted;
    await subscribe(url, 'third', { filter: { events: '^message_rejected$|^nothing$', tag: '^needle$' }, options });
    const idle = consume(url, 'name=third');
    await idle.opened;
    await events.kill();
    await find('second', 'after a restart, beside one that matches nothing');
    idle.kill();
  });
}
