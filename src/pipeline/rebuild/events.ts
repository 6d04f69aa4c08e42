import type { Unit } from '../../ports/database.js';
import { every } from '../../ports/tables/where.js';
import type { EventType } from '../../wire/events/event.js';

/**
 * Takes events out of the log of events. The new history tells anew what it decides, with later sequences, so that no
 * subscription passes it by (docs/api.md §13.3).
 */
export async function takeBackEvents(
  unit: Unit,
  types: readonly EventType[],
  references: readonly string[],
): Promise<void> {
  if (references.length === 0) return;
  await unit.remove('events', { namespace: every, type: types, reference: references });
}
