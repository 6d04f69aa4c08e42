import { type Static, Type } from '@sinclair/typebox';
import { PayloadData } from './batch.js';
import { DataReference } from './data.js';
import { EnvelopeGroup } from './group.js';
import { HashedHeader } from './message.js';
import { Hash, RawText, Uuid } from './scalar.js';

/** Envelopes of another version are answered "later", they are not judged. */
export const envelopeVersion = 1;

/** A private batch on its way to a member: the payload's bytes stand in it as they are (S §9.2). */
export const BatchEnvelope = Type.Object({
  version: Type.Integer(),
  group: EnvelopeGroup,
  payload: RawText,
});
export type BatchEnvelope = Static<typeof BatchEnvelope>;

/** A message without a batch (`txtype: none`) on its way to a member (S §9.2). */
export const MessageEnvelope = Type.Object({
  version: Type.Integer(),
  node: Uuid,
  group: EnvelopeGroup,
  tx: Type.Object({ type: Type.Literal('none'), id: Uuid }),
  message: Type.Object({ header: HashedHeader, hash: Hash, data: Type.Array(DataReference) }),
  data: Type.Array(PayloadData),
});
export type MessageEnvelope = Static<typeof MessageEnvelope>;

/** Both kinds of envelope at once: an envelope is read once, along this, and what it has says which kind it is. */
export const AnyEnvelope = Type.Object({ ...BatchEnvelope.properties, ...MessageEnvelope.properties });
