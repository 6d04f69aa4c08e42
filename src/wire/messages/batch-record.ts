import { type Static, Type } from '@sinclair/typebox';
import { DataReference } from '../data/data.js';
import { Address, Hash, nullable, oneOf, Time, Uuid } from '../scalar.js';

/** The transaction that a record belongs to. */
export const TransactionReference = Type.Object({ type: Type.String(), id: Uuid });

/** The version of payloads and envelopes (docs/protocol.md §2.3). */
export const recordVersion = 1;

const Manifest = Type.Object({
  version: Type.Literal(recordVersion),
  id: Uuid,
  tx: TransactionReference,
  messages: Type.Array(Type.Object({ id: Uuid, hash: Hash, topics: Type.Integer() })),
  data: Type.Optional(Type.Array(DataReference, { description: 'of a batch that is requested alone' })),
});

/** A batch (docs/api.md §12). */
export const Batch = Type.Object({
  id: Uuid,
  type: oneOf(['broadcast', 'private']),
  namespace: Type.String(),
  node: Type.Optional(Uuid),
  group: Type.Optional(Hash),
  created: nullable(Time),
  author: Type.String({ description: 'DID' }),
  key: Address,
  hash: Hash,
  manifest: nullable(Manifest),
  payloadRef: Type.Optional(Type.String({ description: 'name of the payload in the shared store' })),
  tx: TransactionReference,
  confirmed: nullable(Time),
  void: Type.Optional(Type.String({ description: 'why it is void' })),
});
export type Batch = Static<typeof Batch>;
