import {
  apiTag,
  datatypeTag,
  type DefinitionTag,
  identityClaimTag,
  identityUpdateTag,
  interfaceTag,
  poolTag,
} from '../../domain/definition.js';
import type { Bus, BellListener } from '../../pipeline/bus.js';
import { exactMessages, referenceKey } from '../../pipeline/state/messages/exact.js';
import { messageRecord } from '../../pipeline/records/records.js';
import type { EventWatch, Waiting } from '../../pipeline/wait.js';
import type { Database } from '../../ports/database.js';
import type { EventRow, MessageRow } from '../../ports/tables/tables.js';
import { every } from '../../ports/tables/where.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { Message } from '../../wire/messages/message.js';
import { readFlag } from '../../wire/lists/query.js';
import type { Deadline } from '../requests/deadline.js';

/** The part of a request that tells whether and how long it waits. */
export interface WaitingRequest {
  readonly query: ReadonlyMap<string, string>;
  readonly deadline: Deadline;
}

/** Waits for outcomes, for requests with `confirm` (docs/api.md §6). */
export interface Confirm {
  /**
   * Accepts a message, and with `confirm=true` resolves with the decided message.
   *
   * @throws ServiceError message_rejected, definition_rejected, operation_failed if its batch was cancelled,
   * confirmation_late
   */
  message(request: WaitingRequest, accept: () => Promise<Message>): Promise<Message>;
  /**
   * Starts an operation, possibly with an attached message, and with `confirm=true` resolves when its outcome has
   * arrived as an event and the message is decided.
   *
   * @throws ServiceError operation_failed, definition_rejected, confirmation_late
   */
  operation<T extends { readonly operation: string; readonly message?: Message | undefined }>(
    request: WaitingRequest,
    work: {
      readonly start: () => Promise<T>;
      readonly isOutcome: (started: T, event: EventRow) => boolean;
      /** Whether this operation caused the outcome; if not, the operation will fail. */
      readonly isOurs: (started: T) => Promise<boolean>;
    },
  ): Promise<T>;
  /** Runs work with a listener that was opened before it, and closes the listener afterwards. */
  watching<T>(work: (watch: OutcomeWatch) => Promise<T>): Promise<T>;
  /** The message of an event. */
  find(event: EventRow): Promise<MessageRow>;
  /**
   * Resolves with a message once it is confirmed. @throws ServiceError message_rejected, definition_rejected, and those
   * of `nextAbout`
   */
  untilConfirmed(watch: OutcomeWatch, message: Message, deadline: Deadline): Promise<MessageRow>;
}

/** The events since before a request's work began. */
export interface OutcomeWatch {
  readonly events: EventWatch;
  /**
   * Resolves with the wanted event about a message of this node.
   *
   * @throws ServiceError operation_failed if its batch was cancelled, confirmation_late, stopping
   */
  nextAbout(message: Message, isWanted: (event: EventRow) => boolean, signal: AbortSignal): Promise<EventRow>;
  /** The same, about any message that `findCancelled` returns once it was cancelled with its batch. */
  nextUnless(
    findCancelled: FindCancelled,
    isWanted: (event: EventRow) => boolean,
    signal: AbortSignal,
  ): Promise<EventRow>;
}

/** Returns the message that was awaited and is cancelled; undefined as long as there is none. */
export type FindCancelled = () => Promise<MessageRow | undefined>;

/** Whether a request asks for the outcome. */
export function isConfirmed(query: ReadonlyMap<string, string>): boolean {
  return readFlag(query.get('confirm')) === true;
}

export interface ConfirmParts {
  readonly database: Database;
  readonly waiting: Waiting;
  readonly bus: Bus;
}

/** Creates the waits for a node's requests. */
export function createConfirm(parts: ConfirmParts): Confirm {
  const { database, waiting, bus } = parts;

  async function watching<T>(work: (watch: OutcomeWatch) => Promise<T>): Promise<T> {
    const events = await waiting.open();
    const cancellations = bus.listen('cancellations');
    const ended = new AbortController();
    const nextUnless: OutcomeWatch['nextUnless'] = (findCancelled, isWanted, signal) => {
      const event = events.next(isWanted, signal);
      const cancelled = untilCancelled(database, findCancelled, { cancellations, signal: ended.signal });
      return Promise.race([event, cancelled.then(() => event)]);
    };
    try {
      return await work({
        events,
        nextUnless,
        nextAbout: (message, ...wait) => nextUnless(() => findIfCancelled(database, message), ...wait),
      });
    } finally {
      ended.abort();
      cancellations.close();
      events.close();
    }
  }

  async function untilConfirmed(watch: OutcomeWatch, message: Message, deadline: Deadline): Promise<MessageRow> {
    const row = await findDecided(database, await watch.nextAbout(message, isDecisionOf(message), deadline.signal));
    if (row.state === 'rejected') throw rejectionOf(row);
    return row;
  }

  return {
    untilConfirmed,
    find: (event) => findDecided(database, event),
    watching,
    async message({ query, deadline }, accept) {
      if (!isConfirmed(query)) return accept();
      return watching(async (watch) => {
        const accepted = await accept();
        // An unpinned message is confirmed when it is accepted.
        if (accepted.state === 'confirmed') return accepted;
        deadline.waits();
        return messageRecord(await untilConfirmed(watch, accepted, deadline));
      });
    },
    async operation({ query, deadline }, { start, isOutcome, isOurs }) {
      if (!isConfirmed(query)) return start();
      return watching(async (watch) => {
        const started = await start();
        deadline.waits();
        const settled = new AbortController();
        const outcome = watch.events.next((event) => isOutcome(started, event), deadline.signal);
        const failure = untilFailed(parts, started.operation, AbortSignal.any([deadline.signal, settled.signal]));
        try {
          await Promise.race([outcome, failure.then(() => outcome)]);
          if (!(await isOurs(started))) await failure;
        } finally {
          settled.abort();
        }
        if (started.message !== undefined) await untilConfirmed(watch, started.message, deadline);
        return started;
      });
    },
  };
}

async function findDecided(database: Database, { reference: id, referenceHash: hash }: EventRow): Promise<MessageRow> {
  const rows = await exactMessages(database, [{ id, hash }]);
  const row = rows.get(referenceKey({ id, hash }));
  if (row === undefined) throw new ServiceError('not_found', { what: `message ${id}` });
  return row;
}

/** Throws once an operation has failed permanently; checks whenever operations change, until the signal aborts. */
async function untilFailed({ database, bus }: ConfirmParts, id: string, signal: AbortSignal): Promise<void> {
  const listening = bus.listen('operations');
  try {
    while (!signal.aborted) {
      const failed = await database.first('operations', { namespace: every, id, status: 'Failed' });
      if (failed !== undefined) throw new ServiceError('operation_failed', { id, problem: failed.error ?? '' });
      await listening.wait(signal);
    }
  } finally {
    listening.close();
  }
}

async function findIfCancelled(database: Database, { header: { id }, hash }: Message): Promise<MessageRow | undefined> {
  const messages = await exactMessages(database, [{ id, hash }]);
  const message = messages.get(referenceKey({ id, hash }));
  return message?.state === 'cancelled' ? message : undefined;
}

/** Throws once a message was cancelled with its batch; checks whenever one was cancelled, until the signal aborts. */
async function untilCancelled(
  database: Database,
  findCancelled: FindCancelled,
  { cancellations, signal }: { readonly cancellations: BellListener; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    await cancellations.wait(signal);
    if (signal.aborted) return;
    const message = await findCancelled();
    if (message !== undefined) throw await cancellationOf(database, message);
  }
}

/** The reason for a cancelled batch: the failure of its pin (docs/api.md §12). */
async function cancellationOf(database: Database, { batch, batchHash }: MessageRow): Promise<ServiceError> {
  const pin = await database.last('operations', {
    namespace: every,
    batch: batch ?? '',
    batchHash: batchHash ?? '',
    type: 'blockchain_pin_batch',
    status: 'Failed',
  });
  return new ServiceError('operation_failed', {
    id: pin?.id ?? '',
    problem: `${pin?.error ?? ''} The batch was cancelled, and the message with it.`,
  });
}

function isDecisionOf({ header: { id }, hash }: Message): (event: EventRow) => boolean {
  return ({ type, reference, referenceHash }) =>
    type.startsWith('message_') && reference === id && referenceHash === hash;
}

/** The name of a definition in an error. */
const nameOfTag: Readonly<Record<DefinitionTag, string>> = {
  [datatypeTag]: 'datatype',
  [identityUpdateTag]: 'identity update',
  [identityClaimTag]: 'identity',
  [poolTag]: 'token pool',
  [interfaceTag]: 'contract interface',
  [apiTag]: 'contract API',
};
const names: ReadonlyMap<string | null, string> = new Map(Object.entries(nameOfTag));

function rejectionOf({ type, tag, rejectReason }: MessageRow): ServiceError {
  const reason = rejectReason ?? '';
  if (type !== 'definition') return new ServiceError('message_rejected', { reason });
  const what = names.get(tag) ?? 'definition';
  return new ServiceError('definition_rejected', { what, reason });
}
