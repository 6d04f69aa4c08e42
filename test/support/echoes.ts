import { definedNamespace, systemNamespace } from '../../src/domain/identity.js';
import type { EventRow } from '../../src/ports/tables.js';

/**
 * The events of messages, oldest first, without the echo of a definition: it is told of in `svc_system`, and directly
 * behind and alike in the namespace that it is for. A second event of a message in any other place stays.
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
