import type { Clock } from '../../ports/clock.js';
import { type Database, everyNamespace } from '../../ports/database.js';
import type { OperationRow } from '../../ports/tables.js';
import { among, oldestFirst } from '../../wire/query.js';
import type { Bus } from '../bus.js';
import { createSharedRun } from '../shared-run.js';

export interface RecordedParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  /** The last block whose logs are committed. */
  readonly processedBlock: () => number;
}

/**
 * The fate of a call that the chain has taken: `recorded`, the unit that recorded its event has ended the operation;
 * `absent`, the chain is read past its block and had no such event; `stopped`, the signal aborted first.
 */
export type UntilRecorded = (
  operation: Pick<OperationRow, 'id'>,
  block: number,
  signal: AbortSignal,
) => Promise<'recorded' | 'absent' | 'stopped'>;

/** A ring may be lost. */
const lookMs = 1_000;

/**
 * Waits for the events of calls: first until their blocks are read, which is known without a look, then by one look at
 * the rows for all whose blocks came together.
 */
export function createUntilRecorded({ database, bus, clock, processedBlock }: RecordedParts): UntilRecorded {
  const waiting = new Set<string>();
  const untilNews = createUntilNews(bus, clock);

  const look = createSharedRun(async () => {
    const ids = [...waiting];
    const where = [among('id', ids), among('status', ['Initialized', 'Pending'])];
    const query = { namespace: everyNamespace, where, sort: oldestFirst, limit: ids.length } as const;
    const open = await database.find('operations', query);
    return new Set(open.map(({ id }) => id));
  });

  return async ({ id }, block, signal) => {
    while (processedBlock() < block && !signal.aborted) await untilNews(signal);
    if (signal.aborted) return 'stopped';
    waiting.add(id);
    try {
      const open = await look();
      return open.has(id) ? 'absent' : 'recorded';
    } finally {
      waiting.delete(id);
    }
  };
}

/** Resolves when blocks may have been read, for all who wait at the same time; they stop together. */
function createUntilNews(bus: Bus, clock: Clock): (signal: AbortSignal) => Promise<void> {
  const listening = bus.listen('blocks');
  let next: Promise<void> | undefined;

  async function wait(signal: AbortSignal): Promise<void> {
    const heard = new AbortController();
    const either = AbortSignal.any([signal, heard.signal]);
    await Promise.race([listening.wait(either), clock.sleep(lookMs, either)]);
    heard.abort('heard');
    next = undefined;
  }

  return (signal) => (next ??= wait(signal));
}
