import { InvariantError } from '../../domain/invariant.js';
import type { WebhookSettings } from '../../domain/webhook.js';
import type { Clock } from '../../ports/clock.js';
import type { Random } from '../../ports/random.js';
import type { Handover, Subscriber } from '../../ports/subscriber.js';
import { epochMsOf, timeOf } from '../../wire/time.js';
import type { DeliveryStatus } from '../../wire/webhook.js';
import type { Attachment } from './delivery.js';
import { answerForNobody, attemptCall, type AttemptParts, type CallOutcome, prepareWork } from './webhook-attempt.js';

export interface WebhookParts extends AttemptParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly onDefect: (error: Error) => void;
}

/** A webhook at the end of a subscription. */
export interface WebhookSubscriber extends Subscriber {
  /** Says over which connection it acknowledges; what is handed over before waits for that. */
  attached(attachment: Attachment): void;
  status(): DeliveryStatus;
  /** Whether no call is on its way. One that waits to be repeated is not. */
  isIdle(): boolean;
  hasEnded(): boolean;
}

/**
 * Calls a webhook with what is handed over: in order, one at a time, and acknowledges with the outcome (S §12). Without
 * one the call is repeated, for ever unless its owner has said how often; whatever is not acknowledged is handed over
 * again in the next life.
 */
export function createWebhookSubscriber(
  parts: WebhookParts,
  { subscription, settings }: { readonly subscription: string; readonly settings: WebhookSettings },
): WebhookSubscriber {
  const { clock, log, metrics } = parts;
  const ending = new AbortController();
  const { signal } = ending;
  const quick = new Set<Promise<unknown>>();
  let attach: (attachment: Attachment) => void = () => undefined;
  const attachment = new Promise<Attachment>((resolve) => {
    attach = resolve;
  });
  let status: DeliveryStatus = { failures: 0 };
  let calls = 0;

  /** One call; a defect is a failure like others, since what it is about must not be lost. */
  async function attempt(handover: Handover): Promise<CallOutcome> {
    calls += 1;
    try {
      const work = await prepareWork(parts, { subscription, settings }, handover);
      if (work === undefined) return { status: 'done' };
      const outcome = await attemptCall(parts, work, signal);
      metrics.count('parley_webhook_calls_total', 1, { outcome: outcome.status });
      return outcome;
    } catch (error) {
      return { status: 'failed', error: report(error) };
    } finally {
      calls -= 1;
    }
  }

  function report(error: unknown): string {
    if (signal.aborted) return 'The call was left.';
    log.error('A webhook met a defect of this node', { subscription, error });
    if (error instanceof InvariantError) parts.onDefect(error);
    return 'This node met an error of its own; its log says more.';
  }

  /** Resolves with whether the handover is done with. */
  async function untilDone(handover: Handover): Promise<boolean> {
    const { maxRepeats = Number.POSITIVE_INFINITY } = settings.retry;
    for (let failures = 0; ;) {
      const outcome = await attempt(handover);
      if (outcome.status === 'done') {
        if (failures > 0) log.info('A webhook takes events again', { subscription, failures });
        status = { failures: 0 };
        return true;
      }
      if (signal.aborted) return false;
      failures += 1;
      if (failures === 1) log.warn('A webhook does not take an event', { subscription, error: outcome.error });
      if (failures > maxRepeats && (await giveUp(handover, outcome.error))) return true;
      const delayMs = delayAfter(failures, settings.retry, parts.random);
      const nextAttempt = timeOf(epochMsOf(clock.now()) + delayMs);
      status = { failures, lastError: outcome.error, nextAttempt };
      await clock.sleep(delayMs, signal);
      if (signal.aborted) return false;
    }
  }

  /** Its owner has said that others must not wait for ever. False when the answer to it cannot be stored now. */
  async function giveUp(handover: Handover, error: string): Promise<boolean> {
    try {
      const work = await prepareWork(parts, { subscription, settings }, handover);
      if (work !== undefined) await answerForNobody(parts, work, error);
    } catch (defect) {
      report(defect);
      return false;
    }
    metrics.count('parley_webhook_given_up_total');
    log.warn('A webhook has not taken an event, which is passed over', { subscription, handover: handover.id, error });
    status = { failures: 0, lastError: error };
    return true;
  }

  /** Acknowledged before the call, and called once; as many at a time as may be in flight. */
  async function callQuickly(handover: Handover): Promise<void> {
    const once = attempt(handover).then(async (outcome) => {
      if (outcome.status === 'failed' && !signal.aborted) await giveUp(handover, outcome.error);
    });
    const tracked: Promise<unknown> = once.finally(() => quick.delete(tracked));
    quick.add(tracked);
    if (quick.size > settings.readAhead) await Promise.race(quick);
  }

  return {
    async deliver(handover) {
      const { acknowledge } = await attachment;
      if (signal.aborted) return;
      if (settings.isFastAck) {
        acknowledge(handover.id);
        await callQuickly(handover);
      } else if (await untilDone(handover)) acknowledge(handover.id);
    },
    end: () => ending.abort('ended'),
    attached: (made) => attach(made),
    status: () => status,
    isIdle: () => calls === 0,
    hasEnded: () => signal.aborted,
  };
}

/** Doubling, and by chance up to half of it less, so that webhooks that failed together are not repeated together. */
function delayAfter(
  failures: number,
  { initialDelayMs, maxDelayMs }: WebhookSettings['retry'],
  random: Random,
): number {
  const [first = 0, second = 0] = random.bytes(2);
  const fullMs = Math.min(initialDelayMs * 2 ** Math.min(failures - 1, 30), maxDelayMs);
  return Math.ceil(fullMs * (1 - (first * 256 + second) / 131_072));
}
