import { systemNamespace } from '../domain/identity.js';
import { type Database, everyNamespace, type Unit } from '../ports/database.js';
import { among, equal, oldestFirst } from '../wire/query.js';
import type { Bus } from './bus.js';

const maxPinsAtOnce = 1_000;

/** From where on to look again. */
export interface RewindPoint {
  readonly sequence: number;
}

/**
 * Looks again at every waiting pin from a sequence on (docs/api.md §10.6). It undoes nothing: contexts are marked as
 * due, and what cannot be decided waits on.
 */
export async function rewindPins(database: Database, bus: Bus, { sequence }: RewindPoint): Promise<void> {
  let next = sequence;
  for (;;) {
    const from = next;
    const last = await database.transaction((unit) => markDue(unit, from));
    if (last === undefined) break;
    next = last + 1;
  }
  bus.ring('due');
}

/** Marks the contexts of the next waiting pins; resolves with the sequence of the last, undefined when none is left. */
async function markDue(unit: Unit, from: number): Promise<number | undefined> {
  const namespace = systemNamespace;
  const where = [equal('spent', false), { field: 'sequence', is: 'atLeast', value: from } as const];
  const pins = await unit.find('pins', { namespace, where, sort: oldestFirst, limit: maxPinsAtOnce });
  const masked = pins.filter((pin) => pin.masked).map(({ context }) => context);
  const contexts = [
    ...pins.filter((pin) => !pin.masked).map(({ context }) => context),
    ...(await privateContexts(unit, masked)),
  ];
  await unit.put(
    'due',
    [...new Set(contexts)].map((context) => ({ namespace, context })),
  );
  return pins.at(-1)?.sequence;
}

/** The contexts in which these masked pins are the next of a member; the others are found when it is their turn. */
async function privateContexts(unit: Unit, masked: readonly string[]): Promise<string[]> {
  if (masked.length === 0) return [];
  const where = [among('hash', masked)];
  const limit = masked.length;
  const rows = await unit.find('nextpins', { namespace: everyNamespace, where, sort: oldestFirst, limit });
  return rows.map(({ context }) => context);
}
