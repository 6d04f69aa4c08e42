import { findExact, referenceKey } from '../pipeline/exact.js';
import { datatypeRecord, messageRecord } from '../pipeline/records.js';
import type { Database } from '../ports/database.js';
import type { EventRow } from '../ports/tables.js';
import type { Event } from '../wire/event-record.js';
import { among, oldestFirst } from '../wire/query.js';
import { readIdentities } from './members.js';
import { listedEvent } from './records.js';

/** Events as they are listed, with what they refer to where that was asked for (S §10.1). */
export async function embedReferences(
  database: Database,
  rows: readonly EventRow[],
  isEmbedded: boolean,
): Promise<Event[]> {
  const records = rows.map(listedEvent);
  const [first] = rows;
  if (!isEmbedded || first === undefined) return records;
  const { namespace } = first;
  const [messages, datatypes, identities] = await Promise.all([
    findMessages(database, rows, namespace),
    findDatatypes(database, referencesOf(rows, 'datatype_confirmed'), namespace),
    findIdentities(
      database,
      [...referencesOf(rows, 'identity_confirmed'), ...referencesOf(rows, 'identity_updated')],
      namespace,
    ),
  ]);
  return rows.map((row, i) => {
    const { reference } = row;
    const message = messages.get(referenceKey({ id: reference, hash: row.referenceHash }));
    const [datatype, identity] = [datatypes.get(reference), identities.get(reference)];
    return {
      ...(records[i] ?? listedEvent(row)),
      ...(message !== undefined && {
        message: { ...messageRecord(message), ...(message.batch !== null && { batchID: message.batch }) },
      }),
      ...(datatype !== undefined && { datatype }),
      ...(identity !== undefined && { identity }),
    };
  });
}

function referencesOf(rows: readonly EventRow[], type: EventRow['type']): string[] {
  return rows.filter((row) => row.type === type).map(({ reference }) => reference);
}

function findMessages(database: Database, rows: readonly EventRow[], namespace: string) {
  const about = rows.filter(({ type }) => type === 'message_confirmed' || type === 'message_rejected');
  const references = about.map(({ reference: id, referenceHash: hash }) => ({ id, hash }));
  return findExact(database, 'messages', { namespace }, references);
}

async function findDatatypes(database: Database, ids: readonly string[], namespace: string) {
  if (ids.length === 0) return new Map<string, ReturnType<typeof datatypeRecord>>();
  const where = [among('id', ids)];
  const rows = await database.find('datatypes', { namespace, where, sort: oldestFirst, limit: ids.length });
  return new Map(rows.map((row) => [row.id, datatypeRecord(row)]));
}

async function findIdentities(database: Database, ids: readonly string[], namespace: string) {
  const all = ids.length === 0 ? [] : await readIdentities(database, namespace, false);
  return new Map(all.map(({ shown }) => [shown.id, shown]));
}
