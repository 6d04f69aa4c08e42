import { referenceKey } from './exact.js';
import { blobOf, datatypeOf } from './rows.js';
import type { DatatypeRow, GroupRow } from '../ports/messaging-tables.js';
import type { DataRow, EventRow, MessageRow } from '../ports/tables.js';
import type { Data } from '../wire/data.js';
import type { Datatype } from '../wire/datatype.js';
import type { Event } from '../wire/event-record.js';
import type { Group } from '../wire/group.js';
import type { HashedHeader, Message } from '../wire/message.js';

/** The header of a stored message as it was hashed. */
export function headerOf(row: MessageRow): HashedHeader {
  return {
    id: row.id,
    ...(row.cid !== null && { cid: row.cid }),
    type: row.type,
    txtype: row.txtype,
    author: row.author,
    key: row.key,
    created: row.created,
    namespace: row.namespace,
    ...(row.group !== null && { group: row.group }),
    topics: [...row.topics],
    ...(row.tag !== null && { tag: row.tag }),
    datahash: row.datahash,
    ...(row.parentType !== null && row.parentId !== null && { txparent: { type: row.parentType, id: row.parentId } }),
  };
}

/** A stored message as it is served (S §3.1). With `data`, its references become the whole items. */
export function messageRecord(row: MessageRow, data?: ReadonlyMap<string, DataRow>): Message {
  return {
    header: { ...headerOf(row), topic: [...row.topics] },
    localNamespace: row.namespace,
    hash: row.hash,
    ...(row.batch !== null && { batch: row.batch }),
    ...(row.txid !== null && { txid: row.txid }),
    state: row.state,
    ...(row.confirmed !== null && { confirmed: row.confirmed }),
    ...(row.rejectReason !== null && { rejectReason: row.rejectReason }),
    data: row.data.map((reference) => {
      const item = data?.get(referenceKey(reference));
      const { id, hash } = reference;
      return item === undefined ? { id, hash } : dataRecord(item);
    }),
    ...(row.pins.length > 0 && { pins: [...row.pins] }),
    ...(row.idempotencyKey !== null && { idempotencyKey: row.idempotencyKey }),
  };
}

/** A stored data item as it is served (S §4.1). */
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
    ...(blob !== undefined && { blob }),
  };
}

/** A confirmed datatype as it is served (S §4.5). */
export function datatypeRecord(row: DatatypeRow): Datatype {
  const { id, message, namespace, name, version, hash, created, value } = row;
  return { id, message, validator: 'json', namespace, name, version, hash, created, value };
}

/** A stored group as it is served (S §6). */
export function groupRecord({ namespace, name, members, hash, created }: GroupRow): Group {
  return { namespace, localNamespace: namespace, name, members: [...members], hash, created };
}

/** An event as it is listed, without what it refers to (S §10.1). */
export function eventRecord(row: EventRow): Event {
  const { id, sequence, type, namespace, reference, correlator, tx, topic, created } = row;
  return {
    id,
    sequence,
    type,
    namespace,
    reference,
    ...(correlator !== null && { correlator }),
    ...(tx !== null && { tx }),
    ...(topic !== null && { topic }),
    created,
  };
}

/** A message as an event embeds it (S §10.1): there `batch` is repeated as `batchID`. */
export function embeddedMessage(row: MessageRow): Message {
  return { ...messageRecord(row), ...(row.batch !== null && { batchID: row.batch }) };
}
