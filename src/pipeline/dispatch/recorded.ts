import type { Clock } from '../../ports/clock.js';
import { type Database, everyNamespace } from '../../ports/database.js';
import type { OperationRow } from '../../ports/tables.js';
import { among, oldestFirst } from '../../wire/query.js';
import type { Bus } from '../bus.js';
import { readCursor } from '../cursor.js';
import { createSharedRun } from '../shared-run.js';

export interface RecordedParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
}

/**
 * What came of a call that the chain has taken: `recorded`, the unit that recorded its event has ended the operation;
 * `absent`, the chain is read past its block and has told of none; `stopped`, the signal aborted first.
 */
export type UntilRecorded = (
  operation: Pick<OperationRow, 'id'>,
  block: number,
  signal: AbortSignal,
) => Promise<'recorded' | 'absent' | 'stopped'>;

/** A ring may be lost, and blocks without an event ring for nobody. */
const lookMs = 1_000;

/** Waits for the events of calls; those of many operations at a time, which are looked at together. */
export function createUntilRecorded({ database, bus, clock }: RecordedParts): UntilRecorded {
  const waiting = new Set<string>();

  const look = createSharedRun(async () => {
    const ids = [...waiting];
    // First how far the chain is read: what that brought is then in the rows that are read behind it.
    const cursor = await readCursor(database);
    const where = [among('id', ids), among('status', ['Initialized', 'Pending'])];
    const query = { namespace: everyNamespace, where, sort: oldestFirst, limit: ids.length } as const;
    const open = await database.find('operations', query);
    return { block: cursor?.block ?? -1, open: new Set(open.map(({ id }) => id)) };
  });

  return async ({ id }, block, signal) => {
    const listening = bus.listen('operations');
    waiting.add(id);
    try {
      while (!signal.aborted) {
        const seen = await look();
        if (!seen.open.has(id)) return 'recorded';
        if (seen.block >= block) return 'absent';
        const looked = new AbortController();
        const either = AbortSignal.any([signal, looked.signal]);
        await Promise.race([listening.wait(either), clock.sleep(lookMs, either)]);
        looked.abort('looked');
      }
      return 'stopped';
    } finally {
      waiting.delete(id);
      listening.close();
    }
  };
}
