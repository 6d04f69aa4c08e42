import type { Unit } from '../ports/database.js';
import type { Bell } from './bus.js';

/**
 * Decides in the unit of a stage what that stage has just made due, or the part that came last of it: one commit
 * instead of two. The rows are the same, and what is left over is due as before.
 */
export interface Decider {
  /** Resolves with what is to be done after the commit. A unit may run more than once; its last run counts. */
  decideFew(unit: Unit): Promise<AfterCommit>;
}

/** Resolves with whom to wake. */
export type AfterCommit = () => Promise<readonly Bell[]>;
