import { datatypeTag } from '../domain/definition.js';
import { findExact, referenceKey } from '../pipeline/exact.js';
import { messageRecord } from '../pipeline/records.js';
import type { Ear, Waiting } from '../pipeline/wait.js';
import { type Database, everyNamespace } from '../ports/database.js';
import type { EventRow, MessageRow } from '../ports/tables.js';
import { ServiceError } from '../wire/error.js';
import type { Message } from '../wire/message.js';
import { readFlag } from '../wire/query.js';
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
  /** Runs work with an ear that was opened before it, and closes the ear after it. */
  listening<T>(work: (ear: Ear) => Promise<T>): Promise<T>;
  /** The message that an event is about. */
  find(event: EventRow): Promise<MessageRow>;
}

/** Whether a request wants to know the outcome. */
export function isConfirmed(query: ReadonlyMap<string, string>): boolean {
  return readFlag(query.get('confirm')) === true;
}

/** The waits of a node's requests. */
export function createConfirm({
  database,
  waiting,
}: {
  readonly database: Database;
  readonly waiting: Waiting;
}): Confirm {
  async function find({ reference: id, referenceHash: hash }: EventRow): Promise<MessageRow> {
    const rows = await findExact(database, 'messages', { namespace: everyNamespace }, [{ id, hash }]);
    const row = rows.get(referenceKey({ id, hash }));
    if (row === undefined) throw new ServiceError('not_found', { what: `message ${id}` });
    return row;
  }

  async function listening<T>(work: (ear: Ear) => Promise<T>): Promise<T> {
    const ear = await waiting.open();
    try {
      return await work(ear);
    } finally {
      ear.close();
    }
  }

  return {
    find,
    listening,
    async message({ query, deadline }, accept) {
      if (!isConfirmed(query)) return accept();
      return listening(async (ear) => {
        const accepted = await accept();
        // Without a pin it is confirmed as it is accepted.
        if (accepted.state === 'confirmed') return accepted;
        deadline.waits();
        const row = await find(await ear.hear(isDecisionOf(accepted), deadline.signal));
        if (row.state === 'rejected') throw rejectionOf(row);
        return messageRecord(row);
      });
    },
  };
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
