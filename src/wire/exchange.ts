import { type Static, Type } from '@sinclair/typebox';
import { Hash, oneOf } from './scalar.js';

/** A blob on offer to a peer (S §9.5). */
export const BlobOfferBody = Type.Object({
  hash: Hash,
  size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'number of bytes' }),
  source: Hash,
});
export type BlobOfferBody = Static<typeof BlobOfferBody>;

/** What a node answers its peer: `reason` with `later` and `refused`, `start` with `wanted`. */
export const PeerAnswerBody = Type.Object({
  status: oneOf(['stored', 'later', 'refused', 'wanted']),
  reason: Type.Optional(Type.String()),
  start: Type.Optional(Type.Integer()),
});
export type PeerAnswerBody = Static<typeof PeerAnswerBody>;
