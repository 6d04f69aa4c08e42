import { type Static, Type } from '@sinclair/typebox';
import { DeliveredEvent } from './event.js';

const { subscription: _, ...members } = DeliveredEvent.properties;

/** An event as it is listed, with the objects that it refers to if they were requested (docs/api.md §13.1). */
export const Event = Type.Object(members);
export type Event = Static<typeof Event>;
