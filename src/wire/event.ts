import { type Static, Type } from '@sinclair/typebox';
import { Datatype } from './datatype.js';
import { Identity } from './identity.js';
import { Message } from './message.js';
import { oneOf, Time, Uuid } from './scalar.js';

export const EventType = oneOf([
  'message_confirmed',
  'message_rejected',
  'datatype_confirmed',
  'identity_confirmed',
  'identity_updated',
]);
export type EventType = Static<typeof EventType>;

/** An event as a subscription delivers it (S §10.1). */
export const DeliveredEvent = Type.Object({
  id: Uuid,
  sequence: Type.Integer({ description: 'position in insertion order on this node' }),
  type: EventType,
  namespace: Type.String(),
  reference: Uuid,
  correlator: Type.Optional(Uuid),
  tx: Type.Optional(Uuid),
  topic: Type.Optional(Type.String()),
  created: Time,
  subscription: Type.Object({ id: Uuid, namespace: Type.String(), name: Type.String() }),
  message: Type.Optional(Message),
  datatype: Type.Optional(Datatype),
  identity: Type.Optional(Identity),
});
export type DeliveredEvent = Static<typeof DeliveredEvent>;
