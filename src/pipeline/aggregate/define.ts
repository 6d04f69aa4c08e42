import type { Random } from '../../ports/random.js';
import type { Unit } from '../../ports/database.js';
import type { NewRow } from '../../ports/tables.js';
import type { Decided } from './record.js';

/** What a decided definition brings beside its own verdict (S §8.8, §10.2). */
export interface Defined {
  /** Id of what it defines. */
  readonly correlator: string;
  /** Inserted before the event of the message. */
  readonly events: readonly NewRow<'events'>[];
}

/**
 * Writes what the definitions among the decided messages define, in the unit that decides them. Resolves with what is
 * to be told of each of them, by its message's sequence.
 */
export async function applyDefinitions(
  _unit: Unit,
  _decided: readonly Decided[],
  _parts: { readonly now: string; readonly random: Random },
): Promise<ReadonlyMap<number, Defined>> {
  return new Map();
}
