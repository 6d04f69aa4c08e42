import type { TableName } from '../../../ports/tables/tables.js';
import { keyText } from '../memory/index.js';
import type { Residents } from './resident.js';
import { type Columns, sequenceOf } from '../statements/selection.js';
import { tables } from '../tables/tables.js';

/** The changes that a unit, or all units of a transaction, have made to the cached rows of one table. */
export interface ResidentLayer extends Residents {
  /** Sets the row at its sequence. */
  set(row: Columns): void;
  remove(row: Columns): void;
  /** Marks the cached rows as incomplete. */
  distrust(): void;
  changes(): ReadonlyMap<number, Columns | undefined>;
}

/** Creates a layer of changes above cached rows. */
export function createResidentLayer(table: TableName, below: Residents): ResidentLayer {
  const { uniqueKeys } = tables[table];
  const rows = new Map<number, Columns | undefined>();
  /** The rows by their unique keys, built at the first lookup: most layers have none. */
  let owners: readonly Map<string, number>[] | undefined;
  let isTrusted = true;

  function forgetKeys(sequence: number): void {
    const before = rows.get(sequence);
    if (owners === undefined || before === undefined) return;
    for (const [index, key] of uniqueKeys.entries()) {
      const text = keyText(key, before);
      if (text !== undefined && owners[index]?.get(text) === sequence) owners[index].delete(text);
    }
  }

  function rememberKeys(row: Columns, maps: readonly Map<string, number>[]): void {
    for (const [index, key] of uniqueKeys.entries()) {
      const text = keyText(key, row);
      if (text !== undefined) maps[index]?.set(text, sequenceOf(row));
    }
  }

  function readOwners(): readonly Map<string, number>[] {
    const maps = uniqueKeys.map(() => new Map<string, number>());
    for (const row of rows.values()) if (row !== undefined) rememberKeys(row, maps);
    return maps;
  }

  return {
    residence: below.residence,
    candidates(where) {
      const kept = rows.size === 0 ? below.candidates(where) : unchanged(below.candidates(where), rows);
      for (const row of rows.values()) if (row !== undefined) kept.push(row);
      return kept;
    },
    first(where, choice) {
      if (rows.size === 0) return below.first(where, choice);
      const matches = (row: Columns) => !rows.has(sequenceOf(row)) && choice.matches(row);
      const kept = below.first(where, { ...choice, matches });
      for (const row of rows.values()) if (row !== undefined && choice.matches(row)) kept.push(row);
      const sign = choice.isDescending ? -1 : 1;
      return kept.sort((a, b) => sign * (sequenceOf(a) - sequenceOf(b))).slice(0, choice.count);
    },
    at: (sequence) => (rows.has(sequence) ? rows.get(sequence) : below.at(sequence)),
    owner(key, text) {
      owners ??= readOwners();
      const sequence = owners[key]?.get(text);
      if (sequence !== undefined) return rows.get(sequence);
      const row = below.owner(key, text);
      // If a changed row still had the key, it would be among the owners of this layer.
      return row === undefined || rows.has(sequenceOf(row)) ? undefined : row;
    },
    isWhole: () => isTrusted && below.isWhole(),
    floor: () => below.floor(),
    set(row) {
      const sequence = sequenceOf(row);
      forgetKeys(sequence);
      rows.set(sequence, row);
      if (owners !== undefined) rememberKeys(row, owners);
    },
    remove(row) {
      forgetKeys(sequenceOf(row));
      rows.set(sequenceOf(row), undefined);
    },
    distrust: () => void (isTrusted = false),
    changes: () => rows,
  };
}

function unchanged(candidates: readonly Columns[], changes: ReadonlyMap<number, unknown>): Columns[] {
  return candidates.filter((row) => !changes.has(sequenceOf(row)));
}
