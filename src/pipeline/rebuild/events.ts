import { everyNamespace, type Unit } from '../../ports/database.js';
import { among } from '../../wire/lists/query.js';
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
  const where = [among('type', types), among('reference', references)];
  await unit.remove('events', { namespace: everyNamespace, where });
}
