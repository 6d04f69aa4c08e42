import { setTimeout as sleep } from 'node:timers/promises';

export interface BulkOptions<Item, Outcome> {
  readonly items: AsyncIterable<Item>;
  readonly send: (item: Item) => Promise<Outcome>;
  /** Items started per second; undefined = no limit. */
  readonly ratePerSecond: number | undefined;
  /** Maximum number in progress; 1 keeps the order. */
  readonly concurrency: number;
  /** Whether to continue after a failure. */
  readonly isKeepGoing: boolean;
  readonly sent: (outcome: Outcome) => Promise<void>;
  readonly failed: (error: unknown) => Promise<void>;
}

export interface BulkResult {
  readonly sent: number;
  readonly failed: number;
  readonly spentMs: number;
}

/**
 * Sends many items, in order, at a steady rate. Start times are scheduled from the beginning, so a slow response does
 * not delay later items, as far as `concurrency` allows.
 *
 * @throws the first failure once the items in progress have ended, unless `isKeepGoing`
 */
export async function sendAll<Item, Outcome>(options: BulkOptions<Item, Outcome>): Promise<BulkResult> {
  const { items, send, isKeepGoing } = options;
  const startedMs = performance.now();
  const source = items[Symbol.asyncIterator]();
  let taken = 0;
  let sent = 0;
  let failed = 0;
  let firstFailure: { readonly error: unknown } | undefined;
  const work = async () => {
    while (firstFailure === undefined || isKeepGoing) {
      const next = await source.next();
      if (next.done === true) return;
      await keepPace(options.ratePerSecond, taken++, startedMs);
      try {
        const outcome = await send(next.value);
        sent++;
        await options.sent(outcome);
      } catch (error) {
        failed++;
        firstFailure ??= { error };
        if (isKeepGoing) await options.failed(error);
      }
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));
  if (firstFailure !== undefined && !isKeepGoing) throw firstFailure.error;
  return { sent, failed, spentMs: performance.now() - startedMs };
}

async function keepPace(ratePerSecond: number | undefined, index: number, startedMs: number): Promise<void> {
  if (ratePerSecond === undefined) return;
  const dueMs = startedMs + (index * 1_000) / ratePerSecond;
  // A timer may fire up to two milliseconds early.
  for (let waitMs = dueMs - performance.now(); waitMs > 0; waitMs = dueMs - performance.now()) {
    await sleep(Math.ceil(waitMs));
  }
}
