import type { ContractLog } from '../../ports/blockchain.js';
import type { Unit } from '../../ports/database.js';
import type { Bell } from '../bus.js';

/** The result of applied logs. */
export interface Applied {
  readonly bells: readonly Bell[];
  /** Name of a metric → how many more: counted once the unit is on disk. */
  readonly counts: Readonly<Record<string, number>>;
}

/** The result of logs that do not concern this node. */
export const nothingApplied: Applied = { bells: [], counts: {} };

/** Makes rows of the logs of one kind of source: pools of tokens, listeners. */
export interface SourceApplier {
  /**
   * Writes what the logs of a page say to those who have joined, in the unit of the page. They come in chain order,
   * whole blocks, and may be of others: what has not joined here reads its history when it does. The same logs again
   * change nothing.
   */
  apply(unit: Unit, logs: readonly ContractLog[]): Promise<Applied>;
}
