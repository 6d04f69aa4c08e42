import { type Static, Type } from '@sinclair/typebox';
import { Hash, oneOf } from '../scalar.js';

/** The offer of a blob to a peer (docs/protocol.md §11.4). */
export const BlobOfferBody = Type.Object({
  hash: Hash,
  size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'number of bytes' }),
  source: Hash,
});
export type BlobOfferBody = Static<typeof BlobOfferBody>;

/** The request for a private batch that the peer has sent before (docs/protocol.md §11.6). */
export const BatchRequestBody = Type.Object({ hash: Hash });
export type BatchRequestBody = Static<typeof BatchRequestBody>;

/** A node's answer to its peer: `reason` with `later` and `refused`, `start` with `wanted`. */
export const PeerAnswerBody = Type.Object({
  status: oneOf(['stored', 'later', 'refused', 'wanted']),
  reason: Type.Optional(Type.String()),
  start: Type.Optional(Type.Integer()),
});
export type PeerAnswerBody = Static<typeof PeerAnswerBody>;
