import { type Static, Type } from '@sinclair/typebox';
import { DeliveredEvent } from './event.js';

const { subscription: _, ...members } = DeliveredEvent.properties;

/** An event as it is listed, with what it refers to where that was asked for (S §10.1). */
export const Event = Type.Object(members);
export type Event = Static<typeof Event>;
