import { type Static, Type } from '@sinclair/typebox';
import { Datatype } from './datatype.js';
import { DeliveredEvent } from './event.js';
import { Identity } from './identity.js';
import { Message } from './message.js';

const { id, sequence, type, namespace, reference, correlator, tx, topic, created } = DeliveredEvent.properties;

/** An event as it is listed, with what it refers to where that was asked for (S §10.1). */
export const Event = Type.Object({
  id,
  sequence,
  type,
  namespace,
  reference,
  correlator,
  tx,
  topic,
  created,
  message: Type.Optional(Message),
  datatype: Type.Optional(Datatype),
  identity: Type.Optional(Identity),
});
export type Event = Static<typeof Event>;
