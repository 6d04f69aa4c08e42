import type { ContractLog } from '../../../ports/blockchain.js';
import type { Unit } from '../../../ports/database.js';
import type { Bell } from '../../bus.js';

export interface Applied {
  readonly bells: readonly Bell[];
  /** Increments by metric name, counted after the commit. */
  readonly counts: Readonly<Record<string, number>>;
}

export const nothingApplied: Applied = { bells: [], counts: {} };

/** The results of two parts of a unit together; parts may count by the same name. */
export function joined(a: Applied, b: Applied): Applied {
  const counts = { ...a.counts };
  for (const [name, by] of Object.entries(b.counts)) counts[name] = (counts[name] ?? 0) + by;
  return { bells: [...a.bells, ...b.bells], counts };
}

/** Turns the logs of one kind of source (token pools, listeners) into rows. */
export interface SourceApplier {
  /**
   * Writes the rows for a page of logs, in the unit of the page. The logs are in chain order and in whole blocks. Logs
   * of sources that have not joined yet are skipped: they are read again with that source's history. Idempotent.
   */
  apply(unit: Unit, logs: readonly ContractLog[]): Promise<Applied>;
}
