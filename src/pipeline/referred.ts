import type { Reader } from '../ports/database.js';
import { everyNamespace } from '../ports/database.js';
import type { EventRow, MessageRow } from '../ports/tables.js';
import type { Event } from '../wire/event-record.js';
import type { Identity } from '../wire/identity.js';
import { among, oldestFirst } from '../wire/query.js';
import { findExact, referenceKey } from './exact.js';
import { identityRecord } from './identities.js';
import { datatypeRecord, embeddedMessage } from './records.js';

/** What one event refers to. */
export interface Referred {
  /** The message, if the event is about one. */
  readonly message: MessageRow | undefined;
  /** The record as it is embedded in the event, under the key of its type (S §10.2). */
  readonly embedded: Pick<Event, 'message' | 'datatype' | 'identity'>;
}

/** What each of these events refers to, in their order; of what is not here nothing is embedded. */
export async function readReferred(database: Reader, events: readonly EventRow[]): Promise<Referred[]> {
  const [messages, datatypes, identities] = await Promise.all([
    findMessages(database, events.filter(isAboutMessage)),
    findByNamespace(events.filter(isAboutDatatype), (namespace, ids) => findDatatypes(database, namespace, ids)),
    findByNamespace(events.filter(isAboutIdentity), (namespace, ids) => findIdentities(database, namespace, ids)),
  ]);
  return events.map((event) => {
    const message = isAboutMessage(event) ? messages.get(messageKey(event)) : undefined;
    if (message !== undefined) return { message, embedded: { message: embeddedMessage(message) } };
    const key = recordKey(event.namespace, event.reference);
    const datatype = isAboutDatatype(event) ? datatypes.get(key) : undefined;
    const identity = isAboutIdentity(event) ? identities.get(key) : undefined;
    const embedded = { ...(datatype !== undefined && { datatype }), ...(identity !== undefined && { identity }) };
    return { message: undefined, embedded };
  });
}

/** The message that each of these events is about, in their order; undefined for events about something else. */
export async function readMessages(
  database: Reader,
  events: readonly EventRow[],
): Promise<readonly (MessageRow | undefined)[]> {
  const messages = await findMessages(database, events.filter(isAboutMessage));
  return events.map((event) => (isAboutMessage(event) ? messages.get(messageKey(event)) : undefined));
}

/** Whether an event refers to a message. */
export function isAboutMessage({ type }: Pick<EventRow, 'type'>): boolean {
  return type === 'message_confirmed' || type === 'message_rejected';
}

function isAboutDatatype({ type }: EventRow): boolean {
  return type === 'datatype_confirmed';
}

function isAboutIdentity({ type }: EventRow): boolean {
  return type === 'identity_confirmed' || type === 'identity_updated';
}

function messageKey({ reference, referenceHash }: EventRow): string {
  return referenceKey({ id: reference, hash: referenceHash });
}

function recordKey(namespace: string, id: string): string {
  return `${namespace}/${id}`;
}

function findMessages(database: Reader, events: readonly EventRow[]): Promise<ReadonlyMap<string, MessageRow>> {
  const references = events.map(({ reference: id, referenceHash: hash }) => ({ id, hash }));
  return findExact(database, 'messages', { namespace: everyNamespace }, references);
}

/** Records by namespace and id; of events of one kind. */
async function findByNamespace<R extends { readonly id: string }>(
  events: readonly EventRow[],
  find: (namespace: string, ids: readonly string[]) => Promise<readonly R[]>,
): Promise<ReadonlyMap<string, R>> {
  const ids = new Map<string, Set<string>>();
  for (const { namespace, reference } of events) {
    ids.set(namespace, (ids.get(namespace) ?? new Set()).add(reference));
  }
  const found = new Map<string, R>();
  for (const [namespace, wanted] of ids) {
    for (const record of await find(namespace, [...wanted])) found.set(recordKey(namespace, record.id), record);
  }
  return found;
}

async function findDatatypes(database: Reader, namespace: string, ids: readonly string[]) {
  const where = [among('id', ids)];
  const rows = await database.find('datatypes', { namespace, where, sort: oldestFirst, limit: ids.length });
  return rows.map(datatypeRecord);
}

/** Identities are the network's; what they say of themselves is the namespace's. */
async function findIdentities(database: Reader, namespace: string, ids: readonly string[]): Promise<Identity[]> {
  const shared = { namespace: everyNamespace, sort: oldestFirst, limit: ids.length } as const;
  const rows = await database.find('identities', { ...shared, where: [among('id', ids)] });
  const names = rows.map(({ did }) => did);
  const where = [among('identity', names)];
  const profiles = await database.find('profiles', { namespace, where, sort: oldestFirst, limit: names.length });
  const said = new Map(profiles.map((row) => [row.identity, row]));
  return rows.map((row) => identityRecord(row, said.get(row.did), namespace));
}
