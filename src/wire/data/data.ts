import { type Static, Type } from '@sinclair/typebox';
import { requiring } from '../json/required-mark.js';
import { Hash, Raw, Time, Uuid } from '../scalar.js';

/** A reference to a datatype. */
export const DatatypeReference = Type.Object({ name: Type.String(), version: Type.String() });
export type DatatypeReference = Static<typeof DatatypeReference>;

/** A blob in a data item. `name` and `path` are labels and are never used as file names (docs/api.md §11.1). */
export const Blob = Type.Object({
  hash: Hash,
  size: Type.Integer({ description: 'bytes' }),
  name: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
  public: Type.Optional(Type.String({ description: 'reference in the shared store, once it is there' })),
});
export type Blob = Static<typeof Blob>;

/** A data item as it is stored and served (docs/api.md §11.1). */
export const Data = Type.Object({
  id: Uuid,
  validator: Type.String({ description: 'json' }),
  namespace: Type.String(),
  hash: Hash,
  created: Time,
  datatype: Type.Optional(DatatypeReference),
  value: Raw,
  public: Type.Optional(Type.String({ description: 'reference in the shared store, once it is there' })),
  blob: Type.Optional(Blob),
});
export type Data = Static<typeof Data>;

/** A reference to a data item in a message. */
export const DataReference = Type.Object({ id: Uuid, hash: Hash });
export type DataReference = Static<typeof DataReference>;

/**
 * An entry of `data` in a served message: the reference alone, or the whole item if it was requested
 * (docs/api.md §10.5).
 */
export const MessageData = Type.Object({
  id: Uuid,
  validator: Type.Optional(Type.String()),
  namespace: Type.Optional(Type.String()),
  hash: Hash,
  created: Type.Optional(Time),
  datatype: Type.Optional(DatatypeReference),
  value: Type.Optional(Raw),
  public: Type.Optional(Type.String()),
  blob: Type.Optional(Blob),
});
export type MessageData = Static<typeof MessageData>;

/** In a network with the profile `firefly` either may be absent from a label. */
const requestedDatatype = Type.Optional(
  requiring(
    ['name', 'version'],
    Type.Object(
      { name: Type.Optional(Type.String()), version: Type.Optional(Type.String()) },
      { description: 'a confirmed datatype that the value must conform to' },
    ),
    { unless: 'firefly' },
  ),
);

/** A data item to be stored and sent later (docs/api.md §11.2). */
export const DataRequest = Type.Object({
  value: Type.Optional(Raw),
  validator: Type.Optional(Type.String({ description: 'json, the default, or none' })),
  datatype: requestedDatatype,
  blob: Type.Optional(
    Type.Object({ hash: Type.String() }, { description: 'a blob of another data item of this namespace' }),
  ),
});
export type DataRequest = Static<typeof DataRequest>;

/** The options of a request to publish. */
export const PublishRequest = Type.Object({
  idempotencyKey: Type.Optional(Type.String({ description: 'at most 256 characters; a second use is 409' })),
});
export type PublishRequest = Static<typeof PublishRequest>;

/** A data item in a request: a value in-line, or the id of an item that this node holds (docs/api.md §10.2). */
export const DataInput = Type.Object({
  id: Type.Optional(Type.String({ description: 'UUID of a data item on this node' })),
  hash: Type.Optional(Type.String({ description: 'if given, the hash that the item must have' })),
  value: Type.Optional(Raw),
  validator: Type.Optional(Type.String({ description: 'json, the default, or none' })),
  datatype: requestedDatatype,
  blob: Type.Optional(
    Type.Unknown({ description: 'refused, since blobs belong to uploads; but in an item as it is read' }),
  ),
});
export type DataInput = Static<typeof DataInput>;
