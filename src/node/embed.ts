import { eventRecord } from '../pipeline/records/records.js';
import { readReferred, type Referred } from '../pipeline/records/referred.js';
import type { Database } from '../ports/database.js';
import type { EventRow } from '../ports/tables.js';
import type { Event } from '../wire/event-record.js';
import { valueOf } from '../wire/json.js';
import type { Message } from '../wire/message.js';

/** Events as they are listed, with what they refer to where that was asked for (S §10.1). */
export async function embedReferences(
  database: Database,
  rows: readonly EventRow[],
  isEmbedded: boolean,
): Promise<Event[]> {
  const records = rows.map(eventRecord);
  if (!isEmbedded) return records;
  const referred = await readReferred(database, rows);
  return records.map((record, index) => ({ ...record, ...recordsOf(referred[index]) }));
}

function recordsOf(referred: Referred | undefined): Partial<Event> {
  if (referred?.message === undefined) return { ...referred?.embedded };
  return { message: valueOf(referred.message) as Message }; // written along the shape of one
}
