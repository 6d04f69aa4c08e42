import type { Event } from '../../../../src/wire/events/event-record.js';

/**
 * Combines events from the socket with those listed by the node, newest first, without duplicates. If the socket's
 * buffer is full, events may be missing between the two, so the listed ones are left out.
 */
export function joinEvents(came: readonly Event[], listed: readonly Event[], maxCame: number): readonly Event[] {
  if (came.length >= maxCame) return came.toReversed();
  const newestListed = listed[0]?.sequence ?? -1;
  const first = came.findIndex(({ sequence }) => sequence > newestListed);
  return first < 0 ? listed : [...came.slice(first).reverse(), ...listed];
}
