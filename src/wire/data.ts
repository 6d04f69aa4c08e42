import { type Static, Type } from '@sinclair/typebox';
import { Hash, Raw, Time, Uuid } from './scalar.js';

/** A data item as it is stored and served (S §4.1). */
export const Data = Type.Object({
  id: Uuid,
  validator: Type.String({ description: 'json' }),
  namespace: Type.String(),
  hash: Hash,
  created: Time,
  value: Raw,
});
export type Data = Static<typeof Data>;

/** How a message names a data item. */
export const DataReference = Type.Object({ id: Uuid, hash: Hash });
export type DataReference = Static<typeof DataReference>;

/** An entry of `data` in a served message: the reference alone, or the whole item where it was asked for (S §3.6). */
export const MessageData = Type.Object({
  id: Uuid,
  validator: Type.Optional(Type.String()),
  namespace: Type.Optional(Type.String()),
  hash: Hash,
  created: Type.Optional(Time),
  value: Type.Optional(Raw),
});
export type MessageData = Static<typeof MessageData>;

/** A data item in a request: a value in-line, or the id of an item that this node holds (S §3.3). */
export const DataInput = Type.Object({
  id: Type.Optional(Type.String({ description: 'UUID of a data item on this node' })),
  hash: Type.Optional(Type.String({ description: 'if given, the hash that the item must have' })),
  value: Type.Optional(Raw),
  validator: Type.Optional(Type.String({ description: 'json, the default, or none' })),
  datatype: Type.Optional(
    Type.Object(
      { name: Type.Optional(Type.String()), version: Type.Optional(Type.String()) },
      {
        description: 'a confirmed datatype that the value must conform to',
      },
    ),
  ),
  blob: Type.Optional(Type.Unknown({ description: 'refused: blobs belong to uploads' })),
});
export type DataInput = Static<typeof DataInput>;
