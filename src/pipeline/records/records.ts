import { givenKey } from '../../domain/definition.js';
import { referenceKey } from '../state/messages/exact.js';
import { blobOf, datatypeOf } from '../state/data/data-row.js';
import type { DatatypeRow, GroupRow } from '../../ports/tables/messaging-tables.js';
import type { DataRow, EventRow, MessageRow } from '../../ports/tables/tables.js';
import type { Data } from '../../wire/data/data.js';
import type { Datatype } from '../../wire/data/datatype.js';
import type { Event } from '../../wire/events/event-record.js';
import type { Group } from '../../wire/messages/group.js';
import type { HashedHeader, Message } from '../../wire/messages/message.js';

/** Rebuilds the hashed header of a stored message. */
export function headerOf(row: MessageRow): HashedHeader {
  const { id, type, txtype, author, key, created, namespace, topics, datahash } = row;
  const header: HashedHeader = { id, type, txtype, author, key, created, namespace, topics: [...topics], datahash };
  // Assigned one by one, because every replayed event passes through here and spreading takes three times as long.
  if (row.cid !== null) header.cid = row.cid;
  if (row.group !== null) header.group = row.group;
  if (row.tag !== null) header.tag = row.tag;
  if (row.parentType !== null && row.parentId !== null) header.txparent = { type: row.parentType, id: row.parentId };
  return header;
}

/** The API's record of a message (docs/api.md §10.1); with `data`, references are replaced by the items. */
export function messageRecord(row: MessageRow, data?: ReadonlyMap<string, DataRow>): Message {
  const header = Object.assign(headerOf(row), { topic: [...row.topics] });
  const items = row.data.map((reference) => {
    const item = data?.get(referenceKey(reference));
    const { id, hash } = reference;
    return item === undefined ? { id, hash } : dataRecord(item);
  });
  const message: Message = { header, localNamespace: row.namespace, hash: row.hash, state: row.state, data: items };
  if (row.batch !== null) message.batch = row.batch;
  if (row.txid !== null) message.txid = row.txid;
  if (row.confirmed !== null) message.confirmed = row.confirmed;
  if (row.rejected !== null) message.rejected = row.rejected;
  if (row.rejectReason !== null) message.rejectReason = row.rejectReason;
  if (row.pins.length > 0) message.pins = [...row.pins];
  if (row.idempotencyKey !== null) message.idempotencyKey = givenKey(row.type, row.idempotencyKey);
  return message;
}

/** The API's record of a data item (docs/api.md §11.1). */
export function dataRecord(row: DataRow): Data {
  const { id, validator, namespace, hash, created, value } = row;
  const datatype = datatypeOf(row);
  const blob = blobOf(row);
  return {
    id,
    validator,
    namespace,
    hash,
    created,
    ...(datatype !== undefined && { datatype }),
    value,
    ...(row.public !== null && { public: row.public }),
    ...(blob !== undefined && { blob: { ...blob, path: blob.path ?? '/' } }),
  };
}

/** The API's record of a datatype (docs/api.md §11.4). */
export function datatypeRecord(row: DatatypeRow): Datatype {
  const { id, message, namespace, name, version, hash, created, value } = row;
  return { id, message, validator: 'json', namespace, name, version, hash, created, value };
}

/** The API's record of a group (docs/protocol.md §6). */
export function groupRecord({ namespace, name, members, hash, created, message }: GroupRow): Group {
  const first = message === null ? {} : { message };
  return { namespace, localNamespace: namespace, name, members: [...members], hash, created, ...first };
}

/** The API's record of an event, without embedded records (docs/api.md §13.1). */
export function eventRecord(row: EventRow): Event {
  const { id, sequence, type, namespace, reference, created } = row;
  const event: Event = { id, sequence, type, namespace, reference, created };
  if (row.correlator !== null) event.correlator = row.correlator;
  if (row.tx !== null) event.tx = row.tx;
  if (row.topic !== null) event.topic = row.topic;
  return event;
}
