import { type Static, Type } from '@sinclair/typebox';
import { DeliveredEvent } from './event.js';

const { id, sequence, type, namespace, reference, correlator, tx, topic, created, message, datatype, identity } =
  DeliveredEvent.properties;

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
  message,
  datatype,
  identity,
});
export type Event = Static<typeof Event>;
