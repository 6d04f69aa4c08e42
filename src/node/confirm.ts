import { datatypeTag } from '../domain/definition.js';
import type { Bus } from '../pipeline/bus.js';
import { findExact, referenceKey } from '../pipeline/exact.js';
import { messageRecord } from '../pipeline/records.js';
import type { Ear, Waiting } from '../pipeline/wait.js';
import { type Database, everyNamespace } from '../ports/database.js';
import type { EventRow, MessageRow } from '../ports/tables.js';
import { ServiceError } from '../wire/error.js';
import type { Message } from '../wire/message.js';
import { equal, oldestFirst, readFlag } from '../wire/query.js';
import type { Deadline } from './deadline.js';

/** What of a request says whether and for how long it waits. */
export interface WaitingRequest {
  readonly query: ReadonlyMap<string, string>;
  readonly deadline: Deadline;
}

/** Waits for the outcome of what requests bring about, where they ask for it (S §1.7). */
export interface Confirm {
  /**
   * Accepts a message, and with `confirm=true` resolves with it as it was decided.
   *
   * @throws ServiceError message_rejected, definition_rejected, confirmation_late
   */
  message(request: WaitingRequest, accept: () => Promise<Message>): Promise<Message>;
  /**
   * Starts an operation, perhaps with a message that follows it, and with `confirm=true` resolves when its outcome has
   * come as an event, and the message is decided.
   *
   * @throws ServiceError operation_failed, definition_rejected, confirmation_late
   */
  operation<T extends { readonly operation: string; readonly message?: Message | undefined }>(
    request: WaitingRequest,
    work: {
      readonly start: () => Promise<T>;
      readonly isOutcome: (started: T, event: EventRow) => boolean;
      /** Whether it was this operation that brought the outcome; else the operation is bound to fail. */
      readonly isOurs: (started: T) => Promise<boolean>;
    },
  ): Promise<T>;
  /** Runs work with an ear that was opened before it, and closes the ear after it. */
  listening<T>(work: (ear: Ear) => Promise<T>): Promise<T>;
  /** The message that an event is about. */
  find(event: EventRow): Promise<MessageRow>;
}

/** Whether a request wants to know the outcome. */
export function isConfirmed(query: ReadonlyMap<string, string>): boolean {
  return readFlag(query.get('confirm')) === true;
}

export interface ConfirmParts {
  readonly database: Database;
  readonly waiting: Waiting;
  readonly bus: Bus;
}

/** The waits of a node's requests. */
export function createConfirm(parts: ConfirmParts): Confirm {
  const { database, waiting } = parts;

  async function listening<T>(work: (ear: Ear) => Promise<T>): Promise<T> {
    const ear = await waiting.open();
    try {
      return await work(ear);
    } finally {
      ear.close();
    }
  }

  async function untilDecided(ear: Ear, message: Message, deadline: Deadline): Promise<MessageRow> {
    const row = await findDecided(database, await ear.hear(isDecisionOf(message), deadline.signal));
    if (row.state === 'rejected') throw rejectionOf(row);
    return row;
  }

  return {
    find: (event) => findDecided(database, event),
    listening,
    async message({ query, deadline }, accept) {
      if (!isConfirmed(query)) return accept();
      return listening(async (ear) => {
        const accepted = await accept();
        // Without a pin it is confirmed as it is accepted.
        if (accepted.state === 'confirmed') return accepted;
        deadline.waits();
        return messageRecord(await untilDecided(ear, accepted, deadline));
      });
    },
    async operation({ query, deadline }, { start, isOutcome, isOurs }) {
      if (!isConfirmed(query)) return start();
      return listening(async (ear) => {
        const started = await start();
        deadline.waits();
        const heard = new AbortController();
        const outcome = ear.hear((event) => isOutcome(started, event), deadline.signal);
        const failure = untilFailed(parts, started.operation, AbortSignal.any([deadline.signal, heard.signal]));
        try {
          await Promise.race([outcome, failure.then(() => outcome)]);
          if (!(await isOurs(started))) await failure;
        } finally {
          heard.abort();
        }
        if (started.message !== undefined) await untilDecided(ear, started.message, deadline);
        return started;
      });
    },
  };
}

async function findDecided(database: Database, { reference: id, referenceHash: hash }: EventRow): Promise<MessageRow> {
  const rows = await findExact(database, 'messages', { namespace: everyNamespace }, [{ id, hash }]);
  const row = rows.get(referenceKey({ id, hash }));
  if (row === undefined) throw new ServiceError('not_found', { what: `message ${id}` });
  return row;
}

/** Throws when an operation has failed for good; looks when operations have changed, until the signal aborts. */
async function untilFailed({ database, bus }: ConfirmParts, id: string, signal: AbortSignal): Promise<void> {
  const listening = bus.listen('operations');
  try {
    while (!signal.aborted) {
      const where = [equal('id', id), equal('status', 'Failed')];
      const query = { namespace: everyNamespace, where, sort: oldestFirst, limit: 1 } as const;
      const [failed] = await database.find('operations', query);
      if (failed !== undefined) throw new ServiceError('operation_failed', { id, problem: failed.error ?? '' });
      await listening.wait(signal);
    }
  } finally {
    listening.close();
  }
}

function isDecisionOf({ header: { id }, hash }: Message): (event: EventRow) => boolean {
  return ({ type, reference, referenceHash }) =>
    type.startsWith('message_') && reference === id && referenceHash === hash;
}

function rejectionOf({ type, tag, rejectReason }: MessageRow): ServiceError {
  const reason = rejectReason ?? '';
  if (type !== 'definition') return new ServiceError('message_rejected', { reason });
  const what = tag === datatypeTag ? 'datatype' : 'identity update';
  return new ServiceError('definition_rejected', { what, reason });
}
