import { InvariantError } from '../../../domain/invariant.js';
import type { Handover } from '../../../ports/subscriber.js';
import {
  replyWithFailure,
  attemptCall,
  type AttemptParts,
  type CallOutcome,
  prepareWork,
  type WebhookOf,
} from './attempt.js';

export interface CallParts extends AttemptParts {
  readonly onDefect: (error: Error) => void;
}

/** The calls of one webhook. No method rejects: a defect counts as a failed call, so that no event is lost. */
export interface WebhookCalls {
  call(handover: Handover): Promise<CallOutcome>;
  /**
   * Gives up a delivery after the configured retries. Returns false if the reply about the failure cannot be stored
   * now.
   */
  giveUp(handover: Handover, error: string): Promise<boolean>;
  count(): number;
}

export function createWebhookCalls(parts: CallParts, of: WebhookOf, signal: AbortSignal): WebhookCalls {
  const { log, metrics } = parts;
  const { subscription } = of;
  let underWay = 0;

  function report(error: unknown): string {
    if (signal.aborted) return 'The call was left.';
    log.error('A webhook call failed because of a defect of this node', { subscription, error });
    if (error instanceof InvariantError) parts.onDefect(error);
    return 'An internal error occurred in this node; see its log.';
  }

  return {
    async call(handover) {
      underWay += 1;
      try {
        const work = await prepareWork(parts, of, handover);
        if (work === undefined) return { status: 'done' };
        const outcome = await attemptCall(parts, work, signal);
        metrics.count('parley_webhook_calls_total', 1, { outcome: outcome.status });
        return outcome;
      } catch (error) {
        return { status: 'failed', error: report(error) };
      } finally {
        underWay -= 1;
      }
    },
    async giveUp(handover, error) {
      try {
        const work = await prepareWork(parts, of, handover);
        if (work !== undefined) await replyWithFailure(parts, work, error);
      } catch (defect) {
        report(defect);
        return false;
      }
      metrics.count('parley_webhook_given_up_total');
      log.warn('A webhook did not accept an event, which is skipped', { subscription, id: handover.id, error });
      return true;
    },
    count: () => underWay,
  };
}
