import type { Clock } from '../../ports/clock.js';
import type { Database } from '../../ports/database.js';
import type { OperationRow } from '../../ports/tables/tables.js';
import { every } from '../../ports/tables/where.js';
import type { Bus } from '../bus.js';
import { createSharedRun } from '../shared-run.js';

export interface RecordedParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly processedBlock: () => number;
}

/**
 * The fate of a mined call. `recorded`: the unit that recorded its event has ended the operation. `absent`: its block
 * was read and had no such event. `stopped`: the signal was aborted.
 */
export type UntilRecorded = (
  operation: Pick<OperationRow, 'id'>,
  block: number,
  signal: AbortSignal,
) => Promise<'recorded' | 'absent' | 'stopped'>;

/** Also checks without a ring, because rings may be lost. */
const lookMs = 1_000;

/**
 * Waits until a call's block was read, which needs no query, and then checks the operation, with one query for all
 * waiting calls.
 */
export function createUntilRecorded({ database, bus, clock, processedBlock }: RecordedParts): UntilRecorded {
  const waiting = new Set<string>();
  const untilBlocks = createUntilBlocks(bus, clock);

  const look = createSharedRun(async () => {
    const ids = [...waiting];
    const open = await database.rows(
      'operations',
      { namespace: every, id: ids, status: ['Initialized', 'Pending'] },
      { limit: ids.length },
    );
    return new Set(open.map(({ id }) => id));
  });

  return async ({ id }, block, signal) => {
    while (processedBlock() < block && !signal.aborted) await untilBlocks(signal);
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

/** Resolves when blocks may have been read, for all waiting callers at once; they stop together. */
function createUntilBlocks(bus: Bus, clock: Clock): (signal: AbortSignal) => Promise<void> {
  const listening = bus.listen('blocks');
  let next: Promise<void> | undefined;

  async function wait(signal: AbortSignal): Promise<void> {
    const rung = new AbortController();
    const either = AbortSignal.any([signal, rung.signal]);
    await Promise.race([listening.wait(either), clock.sleep(lookMs, either)]);
    rung.abort('rung');
    next = undefined;
  }

  return (signal) => (next ??= wait(signal));
}
