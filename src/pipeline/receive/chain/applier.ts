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

/** Writes a part of the rows for a page of logs. Idempotent. */
export type SourceWrite = (unit: Unit) => Promise<Applied>;

/** Logs or events of one write, so that other units are not delayed for long: each may be written for many pools. */
const maxPart = 100;

/** Splits what a page has for one kind of source into the parts of its writes. */
export function partsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += maxPart) parts.push(items.slice(start, start + maxPart));
  return parts;
}

/** Runs writes in one unit. */
export async function writeAll(unit: Unit, writes: readonly SourceWrite[]): Promise<Applied> {
  const all: Applied[] = [];
  for (const write of writes) all.push(await write(unit));
  return all.reduce(joined, nothingApplied);
}

/** Turns the logs of one kind of source (token pools, listeners) into rows. */
export interface SourceApplier {
  /**
   * Returns the writes of the rows for a page of logs, to be run in this order: one, or several if the page is so large
   * that each needs a unit. The logs are in chain order and in whole blocks. Logs of sources that have not joined yet
   * are skipped: they are read again with that source's history.
   */
  writesFor(logs: readonly ContractLog[]): readonly SourceWrite[];
}
