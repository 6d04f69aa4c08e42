import { type Static, Type } from '@sinclair/typebox';
import { PayloadItems } from './batch.js';
import { DataReference } from '../data/data.js';
import { EnvelopeGroup } from './group.js';
import { HashedHeader } from './message.js';
import { Hash, RawText, Uuid } from '../scalar.js';

/** Envelopes of another version are not judged; the answer is "later". */
export const envelopeVersion = 1;

/** A private batch for a member; the bytes of the payload are embedded unchanged (docs/protocol.md §11.2). */
export const BatchEnvelope = Type.Object({
  version: Type.Integer(),
  group: EnvelopeGroup,
  payload: RawText,
});
export type BatchEnvelope = Static<typeof BatchEnvelope>;

/** A message without a batch (`txtype: none`) for a member (docs/protocol.md §11.2). */
export const MessageEnvelope = Type.Object({
  version: Type.Integer(),
  node: Uuid,
  group: EnvelopeGroup,
  tx: Type.Object({ type: Type.Literal('none'), id: Uuid }),
  message: Type.Object({ header: HashedHeader, hash: Hash, data: Type.Array(DataReference) }),
  data: PayloadItems,
});
export type MessageEnvelope = Static<typeof MessageEnvelope>;

/** The union of both kinds of envelope, so that an envelope is parsed once; its members tell the kind. */
export const AnyEnvelope = Type.Object({ ...BatchEnvelope.properties, ...MessageEnvelope.properties });
