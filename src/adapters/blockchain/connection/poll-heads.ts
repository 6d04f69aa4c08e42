import type { Clock } from '../../../ports/clock.js';
import type { Connection } from './connection.js';
import { readHeader } from '../logs/header.js';

const pollMs = 500;

/** A connection whose server has no subscriptions, and the listener for its heads. */
export interface HeadPolling extends Pick<Connection, 'request' | 'closed' | 'close'> {
  readonly listener: (head: unknown) => void;
  readonly clock: Clock;
}

/**
 * Polls the newest block and calls the listener when it is a new one. Resolves, after the first answer, with a function
 * that ends this. A later failure closes the connection.
 */
export async function pollHeads({
  request,
  closed,
  close,
  listener,
  clock,
}: HeadPolling): Promise<() => Promise<void>> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  let known = '';

  async function ask(): Promise<void> {
    const head = await request('eth_getBlockByNumber', ['latest', false]);
    const { hash } = readHeader(head);
    if (hash === known || ended.signal.aborted) return;
    known = hash;
    listener(head);
  }

  async function poll(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(pollMs, ended.signal);
      if (ended.signal.aborted) return;
      try {
        await ask();
      } catch (error) {
        close(`The chain did not tell its newest block: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  await ask();
  closed.addEventListener('abort', end, { once: true });
  if (closed.aborted) end();
  const polling = poll();
  return async () => {
    closed.removeEventListener('abort', end);
    end();
    await polling;
  };
}
