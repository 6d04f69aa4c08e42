import type { PeerAnswer } from '../../ports/data-exchange.js';
import type { Bell } from '../bus.js';

/** What becomes of an envelope, and whom to wake after the commit. */
export interface Received {
  readonly answer: PeerAnswer;
  readonly bells: readonly Bell[];
}

/** What a receiver of one kind of envelope answers. */
export const stored: Received = { answer: { status: 'stored' }, bells: [] };

/** It cannot be judged, or has no room, yet. */
export function later(reason: string): Received {
  return { answer: { status: 'later', reason }, bells: [] };
}

/** It never will be taken. */
export function refused(reason: string): Received {
  return { answer: { status: 'refused', reason }, bells: [] };
}
