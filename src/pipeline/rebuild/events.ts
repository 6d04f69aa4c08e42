import type { Unit } from '../../ports/database.js';
import { every } from '../../ports/tables/where.js';
import type { EventType } from '../../wire/events/event.js';

/**
 * Removes events from the event log. The new history records its decisions as new events with later sequences, so that
 * no subscription misses them (docs/api.md §13.3).
 */
export async function takeBackEvents(
  unit: Unit,
  types: readonly EventType[],
  references: readonly string[],
): Promise<void> {
  if (references.length === 0) return;
  await unit.remove('events', { namespace: every, type: types, reference: references });
}
