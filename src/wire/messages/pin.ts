import { type Static, Type } from '@sinclair/typebox';
import { Address, Hash, Time, Uuid } from '../scalar.js';

/** A pin: one context of a pinned batch (docs/api.md §12). */
export const Pin = Type.Object({
  sequence: Type.Integer({ description: 'place in the order of the chain' }),
  namespace: Type.Optional(Type.String()),
  masked: Type.Boolean({ description: 'of a private message' }),
  hash: Hash,
  batch: Uuid,
  batchHash: Hash,
  index: Type.Integer(),
  dispatched: Type.Boolean({ description: 'its message is decided' }),
  signer: Address,
  created: Time,
});
export type Pin = Static<typeof Pin>;

/** The next pin expected of a member in a private context (docs/api.md §12). */
export const NextPin = Type.Object({
  namespace: Type.String(),
  context: Hash,
  identity: Type.String({ description: 'DID' }),
  hash: Hash,
  nonce: Type.Integer(),
});
export type NextPin = Static<typeof NextPin>;

/** The position from which to examine pins again: a sequence, or the first pin of a batch. */
export const RewindRequest = Type.Object({
  sequence: Type.Optional(Type.Integer({ minimum: 0 })),
  batch: Type.Optional(Type.String({ description: 'id of a batch' })),
});
export type RewindRequest = Static<typeof RewindRequest>;

export const Rewind = Type.Object({ sequence: Type.Integer(), batch: Type.Optional(Uuid) });
export type Rewind = Static<typeof Rewind>;
