import { type Static, Type } from '@sinclair/typebox';
import { Blob, DataReference, DatatypeReference } from '../data/data.js';
import { HashedHeader } from './message.js';
import { Address, Hash, oneOf, Raw, Time, Uuid } from '../scalar.js';

/** Payloads of another version are not judged, they wait (docs/protocol.md §2.3). */
export const payloadVersion = 1;

/** A network limit (docs/protocol.md §14). */
export const maxBatchMessages = 200;

export const PayloadMessage = Type.Object({
  header: HashedHeader,
  hash: Hash,
  data: Type.Array(DataReference),
  /** One per topic, for a private message. */
  nonces: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
});
export type PayloadMessage = Static<typeof PayloadMessage>;

export const PayloadData = Type.Object({
  id: Uuid,
  validator: Type.String(),
  datatype: Type.Optional(DatatypeReference),
  hash: Hash,
  created: Time,
  value: Type.Optional(Raw),
  blob: Type.Optional(Blob),
});
export type PayloadData = Static<typeof PayloadData>;
/** The items of a payload. */
export const PayloadItems = Type.Array(PayloadData);

const { public: _, ...labelledBlob } = Blob.properties;
/** The description of an item, without its bytes and their location; each node hashes it in this order. */
export const ItemDescription = Type.Object({
  hash: Hash,
  validator: Type.String(),
  datatype: Type.Optional(DatatypeReference),
  created: Time,
  hasValue: Type.Boolean(),
  blob: Type.Optional(Type.Object(labelledBlob)),
});

/**
 * A batch as one JSON text with fields in this order; the pinned hash covers every byte of it (docs/protocol.md §7.1).
 */
export const BatchPayload = Type.Object({
  version: Type.Integer(),
  id: Uuid,
  type: oneOf(['broadcast', 'private']),
  namespace: Type.String(),
  node: Uuid,
  author: Type.String(),
  key: Address,
  tx: Type.Object({ type: oneOf(['batch_pin']), id: Uuid }),
  created: Time,
  messages: Type.Array(PayloadMessage, { maxItems: maxBatchMessages }),
  data: PayloadItems,
});
export type BatchPayload = Static<typeof BatchPayload>;
