import { type Static, Type } from '@sinclair/typebox';
import { DeliveredEvent } from './event.js';
import { RawText } from '../scalar.js';

const { id, subscription } = DeliveredEvent.properties;

/** Several events in one frame, acknowledged together by its id (docs/api.md §15.3). */
export const EventBatch = Type.Object({
  type: Type.Literal('event_batch'),
  id,
  subscription,
  events: Type.Array(RawText, { description: 'each as it would be delivered alone' }),
});
export type EventBatch = Static<typeof EventBatch>;
