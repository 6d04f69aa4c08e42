import type { Database } from '../../ports/database.js';
import type { EventRow, MessageRow } from '../../ports/tables/tables.js';
import { every } from '../../ports/tables/where.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { Message } from '../../wire/messages/message.js';
import { type Confirm, type OutcomeWatch, isConfirmed, type WaitingRequest } from '../messages/confirm.js';

/** A started token operation. */
export interface StartedTokens {
  /** The message attached to the operation. */
  readonly message?: Message | undefined;
  /** The message whose confirmation is the outcome, if it is sent already. */
  readonly definition?: Message | undefined;
}

/** A token operation, and how its outcome is recognised. */
export interface TokenWork<T> {
  readonly start: () => Promise<T>;
  /** Undefined for events about something else. */
  readonly outcomeOf: (started: T, event: EventRow) => 'confirmed' | 'failed' | 'rejected' | undefined;
  /** Whether a rejection is about this node's own message, since any member may send one that is rejected. */
  readonly isOwnRejection?: (started: T, event: EventRow) => Promise<boolean>;
  /** Returns the definition that was sent later and then cancelled with its batch; undefined if none was. */
  readonly findCancelled?: (started: T) => Promise<MessageRow | undefined>;
}

/**
 * Starts a token operation, possibly with an attached message, and with `confirm=true` resolves when its outcome has
 * arrived as an event and the message is decided.
 *
 * The function throws ServiceError operation_failed, pool_rejected, message_rejected, confirmation_late.
 */
export type ConfirmTokens = <T extends StartedTokens>(request: WaitingRequest, work: TokenWork<T>) => Promise<T>;

/** Creates the waits for token operations. */
export function createConfirmTokens(parts: { readonly database: Database; readonly confirm: Confirm }): ConfirmTokens {
  const { database, confirm } = parts;
  return async ({ query, deadline }, work) => {
    if (!isConfirmed(query)) return work.start();
    return confirm.watching(async (watch) => {
      const started = await work.start();
      deadline.waits();
      const event = await untilOutcome(watch, started, work, deadline.signal);
      const outcome = work.outcomeOf(started, event);
      if (outcome === 'failed') throw await failureOf(database, event.reference);
      if (outcome === 'rejected') {
        const { rejectReason } = await confirm.find(event);
        throw new ServiceError('pool_rejected', { reason: rejectReason ?? '' });
      }
      if (started.message !== undefined) await confirm.untilConfirmed(watch, started.message, deadline);
      return started;
    });
  };
}

/** Waits for the event with the outcome, ignoring rejections of other members' messages. */
async function untilOutcome<T extends StartedTokens>(
  watch: OutcomeWatch,
  started: T,
  { outcomeOf, isOwnRejection, findCancelled = () => Promise.resolve(undefined) }: TokenWork<T>,
  signal: AbortSignal,
): Promise<EventRow> {
  const isOutcome = (event: EventRow) => outcomeOf(started, event) !== undefined;
  const { definition } = started;
  for (;;) {
    const event = await (definition === undefined
      ? watch.nextUnless(() => findCancelled(started), isOutcome, signal)
      : watch.nextAbout(definition, isOutcome, signal));
    if (outcomeOf(started, event) !== 'rejected' || (await isOwnRejection?.(started, event)) !== false) return event;
  }
}

/** The error for a request whose operation has failed permanently. */
async function failureOf(database: Database, id: string): Promise<ServiceError> {
  const failed = await database.first('operations', { namespace: every, id });
  return new ServiceError('operation_failed', { id, problem: failed?.error ?? '' });
}
