import { type Static, Type } from '@sinclair/typebox';
import { DeliveredEvent } from './event.js';
import { RawText } from './scalar.js';

const { id, subscription } = DeliveredEvent.properties;

/** Several events in one frame, which are acknowledged together by its id (S §11.3). */
export const EventBatch = Type.Object({
  type: Type.Literal('event_batch'),
  id,
  subscription,
  events: Type.Array(RawText, { description: 'each as it would be delivered alone' }),
});
export type EventBatch = Static<typeof EventBatch>;
