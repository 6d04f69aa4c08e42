import type { Unit } from '../ports/database.js';
import type { AfterCommit } from './decider.js';

/** Seals a message in the unit that accepts it, which saves a commit. A message that is not sealed waits as usual. */
export interface Sealer {
  /**
   * Seals the waiting message of a key, when it is a small broadcast without blobs that nothing holds up. Returns what
   * to do after the commit; undefined when nothing is sealed. If the unit is repeated, only the last result counts.
   */
  sealAlone(unit: Unit, key: string): Promise<AfterCommit | undefined>;
}
