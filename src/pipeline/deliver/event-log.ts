import { assert } from '../../domain/invariant.js';
import { type Database, everyNamespace } from '../../ports/database.js';
import type { LoggedEvent } from '../../ports/subscriber.js';
import type { EventRow } from '../../ports/tables.js';
import { oldestFirst } from '../../wire/query.js';
import { findExact, referenceKey } from '../exact.js';

/** Reads events in the order of insertion. */
export interface EventLog {
  /** Sequence of the newest event of this node; 0 before the first. */
  newest(): Promise<number>;
  /** The next events of a namespace after a sequence, at most `limit`. */
  after(sequence: number, namespace: string, limit: number): Promise<readonly LoggedEvent[]>;
}

/** The event log of a database. */
export function createEventLog(database: Database): EventLog {
  return {
    async newest() {
      const sort = [{ field: 'sequence', descending: true }];
      const [row] = await database.find('events', { namespace: everyNamespace, where: [], sort, limit: 1 });
      return row?.sequence ?? 0;
    },
    async after(sequence, namespace, limit) {
      const where = [{ field: 'sequence', is: 'above', value: sequence } as const];
      const events = await database.find('events', { namespace, where, sort: oldestFirst, limit });
      const references = events.filter(isAboutMessage).map(({ reference: id, referenceHash: hash }) => ({ id, hash }));
      const messages = await findExact(database, 'messages', { namespace }, references);
      return events.map((event) => {
        const message = messages.get(referenceKey({ id: event.reference, hash: event.referenceHash }));
        assert(message !== undefined || !isAboutMessage(event), 'an event refers to a message that is here');
        return { event, message };
      });
    },
  };
}

function isAboutMessage({ type }: EventRow): boolean {
  return type === 'message_confirmed' || type === 'message_rejected';
}
