import type { WebhookSettings } from '../../../domain/events/webhook.js';
import type { Clock } from '../../../ports/clock.js';
import type { Random } from '../../../ports/random.js';
import type { Handover, Subscriber } from '../../../ports/subscriber.js';
import { epochMsOf, timeOf } from '../../../wire/time.js';
import type { DeliveryStatus } from '../../../wire/events/webhook.js';
import type { Attachment } from '../delivery.js';
import type { WebhookOf } from './attempt.js';
import { type CallParts, createWebhookCalls } from './calls.js';

export interface WebhookParts extends CallParts {
  readonly clock: Clock;
  readonly random: Random;
}

export interface WebhookSubscriber extends Subscriber {
  /** Sets the attachment through which it acknowledges; deliveries wait for that. */
  attached(attachment: Attachment): void;
  status(): DeliveryStatus;
  /** Whether no call is in progress; a call that waits for its retry does not count. */
  isIdle(): boolean;
  hasEnded(): boolean;
}

/**
 * Calls a webhook for each delivery, in order, one at a time, and acknowledges after success (docs/api.md §16). A
 * failed call is retried without end, unless retries are limited. After a restart, unacknowledged events are delivered
 * again.
 */
export function createWebhookSubscriber(parts: WebhookParts, of: WebhookOf): WebhookSubscriber {
  const { clock, log } = parts;
  const { subscription, settings } = of;
  const ending = new AbortController();
  const { signal } = ending;
  const calls = createWebhookCalls(parts, of, signal);
  const onceCalls = new Set<Promise<unknown>>();
  let attach: (attachment: Attachment) => void = () => undefined;
  const attachment = new Promise<Attachment>((resolve) => {
    attach = resolve;
  });
  let status: DeliveryStatus = { failures: 0 };

  /** Resolves with whether the delivery is finished. */
  async function untilDone(handover: Handover): Promise<boolean> {
    const { maxRepeats = Number.POSITIVE_INFINITY } = settings.retry;
    for (let failures = 1; ; failures++) {
      const outcome = await calls.call(handover);
      if (outcome.status === 'done') {
        if (failures > 1) log.info('A webhook accepts events again', { subscription, failures });
        status = { failures: 0 };
        return true;
      }
      if (signal.aborted) return false;
      const { error } = outcome;
      if (failures === 1) log.warn('A webhook does not accept an event', { subscription, error });
      if (failures > maxRepeats && (await giveUp(handover, error))) return true;
      const delayMs = delayAfter(failures, settings.retry, parts.random);
      status = { failures, lastError: error, nextAttempt: timeOf(epochMsOf(clock.now()) + delayMs) };
      await clock.sleep(delayMs, signal);
      if (signal.aborted) return false;
    }
  }

  async function giveUp(handover: Handover, error: string): Promise<boolean> {
    const isGivenUp = await calls.giveUp(handover, error);
    if (isGivenUp) status = { failures: 0, lastError: error };
    return isGivenUp;
  }

  /** Calls once, after the acknowledgement; up to `readAhead` calls at a time. */
  async function callOnce(handover: Handover): Promise<void> {
    const once = calls.call(handover).then(async (outcome) => {
      if (outcome.status === 'failed' && !signal.aborted) await giveUp(handover, outcome.error);
    });
    const tracked: Promise<unknown> = once.finally(() => onceCalls.delete(tracked));
    onceCalls.add(tracked);
    if (onceCalls.size > settings.readAhead) await Promise.race(onceCalls);
  }

  return {
    async deliver(handover) {
      const { acknowledge } = await attachment;
      if (signal.aborted) return;
      if (settings.isFastAck) {
        acknowledge(handover.id);
        await callOnce(handover);
      } else if (await untilDone(handover)) acknowledge(handover.id);
    },
    end: () => ending.abort('ended'),
    attached: (made) => attach(made),
    status: () => status,
    isIdle: () => calls.count() === 0,
    hasEnded: () => signal.aborted,
  };
}

/** Exponential back-off with jitter, so that webhooks which failed together are not retried together. */
function delayAfter(
  failures: number,
  { initialDelayMs, maxDelayMs }: WebhookSettings['retry'],
  random: Random,
): number {
  const [first = 0, second = 0] = random.bytes(2);
  const fullMs = Math.min(initialDelayMs * 2 ** Math.min(failures - 1, 30), maxDelayMs);
  return Math.ceil(fullMs * (1 - (first * 256 + second) / 131_072));
}
