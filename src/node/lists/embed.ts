import { assert } from '../../domain/invariant.js';
import type { FindDamage } from '../../pipeline/deliver/events/event-log.js';
import { eventRecord } from '../../pipeline/records/records.js';
import { readReferred, type Referred } from '../../pipeline/records/referred.js';
import type { Database } from '../../ports/database.js';
import type { EventRow } from '../../ports/tables/tables.js';
import { check } from '../../wire/check.js';
import type { Event } from '../../wire/events/event-record.js';
import { valueOf } from '../../wire/json/json.js';
import { Message } from '../../wire/messages/message.js';

/**
 * Builds event records, with the objects that they refer to if requested (docs/api.md §13.1).
 *
 * @throws ServiceError damaged
 */
export async function embedReferences(
  database: Database,
  rows: readonly EventRow[],
  isEmbedded: boolean,
  damageOf: FindDamage = () => undefined,
): Promise<Event[]> {
  const records = rows.map(eventRecord);
  if (!isEmbedded) return records;
  const referred = await readReferred(database, rows);
  rows.forEach((row, index) => requireIntact(row, referred[index], damageOf));
  return records.map((record, index) => ({ ...record, ...recordsOf(referred[index]) }));
}

function requireIntact(row: EventRow, referred: Referred | undefined, damageOf: FindDamage): void {
  if (referred?.message === undefined) return;
  const damage = damageOf(referred.message, { id: row.reference, hash: row.referenceHash });
  if (damage !== undefined) throw damage;
}

function recordsOf(referred: Referred | undefined): Partial<Event> {
  if (referred?.message === undefined) return { ...referred?.embedded };
  const message = valueOf(referred.message);
  assert(check(Message, message), 'the text of a message is written along its schema');
  return { message };
}
