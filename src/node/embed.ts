import { eventRecord } from '../pipeline/records/records.js';
import { readReferred } from '../pipeline/records/referred.js';
import type { Database } from '../ports/database.js';
import type { EventRow } from '../ports/tables.js';
import type { Event } from '../wire/event-record.js';

/** Events as they are listed, with what they refer to where that was asked for (S §10.1). */
export async function embedReferences(
  database: Database,
  rows: readonly EventRow[],
  isEmbedded: boolean,
): Promise<Event[]> {
  const records = rows.map(eventRecord);
  if (!isEmbedded) return records;
  const referred = await readReferred(database, rows);
  return records.map((record, index) => ({ ...record, ...referred[index]?.embedded }));
}
