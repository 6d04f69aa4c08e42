import type { Unit } from '../ports/database.js';
import type { Bell } from './bus.js';

/**
 * Decides contexts in the unit of another stage that has just made them due, which saves a commit. Contexts that are
 * not decided stay due.
 */
export interface Decider {
  /** Returns what to do after the commit. If the unit is repeated, only the last result counts. */
  decideFew(unit: Unit): Promise<AfterCommit>;
}

/** Returns the bells to ring. */
export type AfterCommit = () => Promise<readonly Bell[]>;
