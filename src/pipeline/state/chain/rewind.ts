import type { Database, Unit } from '../../../ports/database.js';
import { atLeast } from '../../../ports/tables/where.js';
import type { Bus } from '../../bus.js';
import { markDue } from '../messages/contexts.js';

const maxPinsAtOnce = 1_000;

export interface RewindPoint {
  readonly sequence: number;
}

/**
 * Marks the contexts of all unspent pins from a sequence on as due (docs/api.md §10.6). Nothing is undone; contexts
 * that cannot be decided keep waiting.
 */
export async function rewindPins(database: Database, bus: Bus, { sequence }: RewindPoint): Promise<void> {
  let next = sequence;
  for (;;) {
    const from = next;
    const last = await database.transaction((unit) => markPinsDue(unit, from));
    if (last === undefined) break;
    next = last + 1;
  }
  bus.ring('due');
}

/** Marks the contexts of the next page of pins as due; returns the last sequence, or undefined at the end. */
async function markPinsDue(unit: Unit, from: number): Promise<number | undefined> {
  const pins = await unit.rows('pins', { spent: false, sequence: atLeast(from) }, { limit: maxPinsAtOnce });
  const masked = pins.filter((pin) => pin.masked).map(({ context }) => context);
  const contexts = [
    ...pins.filter((pin) => !pin.masked).map(({ context }) => context),
    ...(await privateContexts(unit, masked)),
  ];
  await markDue(unit, contexts);
  return pins.at(-1)?.sequence;
}

/** Returns the contexts that expect these masked pins next; other pins are found once they are expected. */
async function privateContexts(unit: Unit, masked: readonly string[]): Promise<string[]> {
  if (masked.length === 0) return [];
  const rows = await unit.rows('nextpins', { hash: masked }, { limit: masked.length });
  return rows.map(({ context }) => context);
}
