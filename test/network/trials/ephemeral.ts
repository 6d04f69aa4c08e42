import { createHttpClient } from '../../../src/bench/http.js';
import { consume } from '../../support/consumer.js';
import { createEventStack, soon } from './event-stack.js';
import { readJson, send, type Verdicts } from './history.js';

/** Opens a subscription and sends at once, repeatedly: every event must arrive, and nothing remain afterwards. */
export async function tryEphemeral(
  root: string,
  { times }: { readonly times: number },
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  const { url, remove } = await createEventStack(root);
  const http = createHttpClient();
  try {
    let [lost, others] = [0, 0];
    const startMs = performance.now();
    for (let time = 0; time < times; time++) {
      const tag = `fleeting-${time}`;
      const consumer = consume(url, `ephemeral&autoack=${time % 2 === 0}&filter.message.tag=%5E${tag}%24`);
      await consumer.opened;
      const sent = await send(http, url, 'messages/broadcast', { header: { tag }, data: [{ value: time }] });
      await soon('the event came', () => consumer.count() > 0, 10_000).catch(() => (lost += 1));
      if (consumer.frames.some(({ reference }) => reference !== sent)) others += 1;
      consumer.kill();
    }
    print(`${times} connections in ${((performance.now() - startMs) / 1_000).toFixed(1)} s`);
    verdicts.expect('whatever is sent after "open" arrives', lost === 0, `${lost} lost`);
    verdicts.expect('and nothing else', others === 0);
    const sockets = () => readJson<{ readonly connections: readonly unknown[] }>(http, url, 'websockets');
    await soon('no socket is left', async () => (await sockets()).connections.length === 0);
    const left = await readJson<readonly unknown[]>(http, url, 'subscriptions');
    verdicts.expect('no subscription is left', left.length === 0);
  } finally {
    http.close();
    await remove();
  }
}
