import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import type { LogPage, PageAnswer, Watching } from '../../../ports/blockchain.js';

const firstDelayMs = 100;
const maxDelayMs = 5_000;
const maxSoonDelayMs = 200;

/** Delays that grow with each failure, up to a limit. */
export interface BackOff {
  /** Resolves after the next delay, or at once when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>;
  reset(): void;
}

export interface BackOffOptions {
  /** Delays stay short for this long, since a service that was available a moment ago is likely to return soon. */
  readonly soonMs?: number;
}

export function createBackOff(clock: Clock, { soonMs = 0 }: BackOffOptions = {}): BackOff {
  let delayMs = firstDelayMs;
  let waitedMs = 0;
  return {
    async wait(signal) {
      const currentMs = delayMs;
      delayMs = Math.min(delayMs * 2, waitedMs < soonMs ? maxSoonDelayMs : maxDelayMs);
      waitedMs += currentMs;
      await clock.sleep(currentMs, signal);
    },
    reset() {
      delayMs = firstDelayMs;
      waitedMs = 0;
    },
  };
}

export interface Delivery {
  readonly page: LogPage;
  readonly watching: Pick<Watching, 'handler' | 'selection' | 'signal'>;
  readonly clock: Clock;
  readonly log: Log | undefined;
}

/**
 * Delivers one page repeatedly until the handler returns, as the port requires. Resolves with the result, or `ended` if
 * the signal aborts first. After `stale` it resolves when there is a new selection to read with, or after a delay.
 */
export async function deliverPage({ page, watching, clock, log }: Delivery): Promise<PageAnswer | 'ended'> {
  const { handler, selection, signal } = watching;
  const backOff = createBackOff(clock);
  while (!signal.aborted) {
    try {
      const answer = await handler(page);
      if (answer === 'stale' && selection().revision === page.revision) await backOff.wait(signal);
      return answer;
    } catch (error) {
      log?.warn('A page of chain logs was not taken and is handed over again', { error, block: page.cursor.block });
      await backOff.wait(signal);
    }
  }
  return 'ended';
}

/** Combines several signals. `release` removes the listeners from those that may live much longer. */
export function joinSignals(...sources: readonly AbortSignal[]): { readonly signal: AbortSignal; release(): void } {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  for (const source of sources) source.addEventListener('abort', end);
  if (sources.some((source) => source.aborted)) end();
  return {
    signal: ended.signal,
    release() {
      for (const source of sources) source.removeEventListener('abort', end);
    },
  };
}
