import type { Event } from '../../../../src/wire/events/event-record.js';

/**
 * The events that came over the socket before those that the node has listed, newest first, each once. A memory that is
 * full has forgotten events between the two: then it stands alone, so that no gap is hidden in the list.
 */
export function joinEvents(came: readonly Event[], listed: readonly Event[], maxCame: number): readonly Event[] {
  if (came.length >= maxCame) return came.toReversed();
  const newestListed = listed[0]?.sequence ?? -1;
  const first = came.findIndex(({ sequence }) => sequence > newestListed);
  return first < 0 ? listed : [...came.slice(first).reverse(), ...listed];
}
