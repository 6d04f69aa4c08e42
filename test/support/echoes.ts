import { definedNamespace, systemNamespace } from '../../src/domain/network/identity.js';
import type { EventRow } from '../../src/ports/tables/tables.js';

/**
 * Returns the events of messages, oldest first, without echoes: an event of a definition is repeated, directly after
 * it, in the namespace that the definition is for. Any other second event of a message is kept.
 */
export function withoutEchoes(events: readonly EventRow[]): readonly EventRow[] {
  return events.filter((event, index) => {
    const before = events[index - 1];
    return before === undefined || !isEcho(before, event);
  });
}

function isEcho(before: EventRow, event: EventRow): boolean {
  const isAlike =
    before.type === event.type && before.reference === event.reference && before.referenceHash === event.referenceHash;
  return isAlike && before.namespace === systemNamespace && event.namespace === definedNamespace(event.topics);
}
