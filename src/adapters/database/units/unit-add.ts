import { ConflictError } from '../../../ports/database.js';
import type { TableName } from '../../../ports/tables/tables.js';
import type { WriteBuffer } from './write-buffer.js';
import { keyText } from '../memory/index.js';
import type { Residence } from '../resident/residences.js';
import type { ResidentLayer } from '../resident/layer.js';
import type { ResidentUnit } from '../resident/store.js';
import { assertValues, residentRow } from '../statements/rows.js';
import type { Columns } from '../statements/selection.js';
import { tables } from '../tables/tables.js';
import { newRows } from './write.js';

interface AddParts {
  readonly resident: ResidentUnit;
  readonly isCareful: boolean;
  readonly buffer: WriteBuffer;
  /** The highest sequence in use, by table. */
  readonly used: Map<TableName, number>;
}

/**
 * Gives new rows their sequences and buffers them. A sequence given to a row that turns out not to be new stays unused.
 *
 * @throws ConflictError if a row to insert has the key of a row in memory
 */
export function createAdd({ resident, isCareful, buffer, used }: AddParts) {
  return (table: TableName, mode: 'insert' | 'put', rows: readonly Columns[]): void => {
    for (const row of rows) assertValues(table, row, true);
    const before = used.get(table) ?? 0;
    used.set(table, before + rows.length);
    const sequenced = rows.map((row, i) => ({ ...row, sequence: before + 1 + i }));
    const layer = resident.of(table);
    if (layer === undefined || !layer.isWhole() || (mode === 'put' && !isCertain(layer.residence, isCareful))) {
      buffer.add(newRows(table, mode, sequenced));
      // It is unknown which of these rows will be in the file, and some of them would have to be cached.
      if (layer !== undefined && hasSome(layer.residence)) layer.distrust();
      return;
    }
    const taken: Columns[] = [];
    for (const row of sequenced) {
      const kept = residentRow(table, { sequence: row.sequence }, row);
      const key = keyInUse(table, layer, kept);
      if (key !== undefined && mode === 'insert') throw new ConflictError(table, key);
      if (key !== undefined) continue;
      layer.set(kept);
      taken.push(row);
    }
    // A key that no cached row has is assumed to be free: if it is not, the unit fails and runs again with `isCareful`.
    buffer.add(newRows(table, 'insert', taken));
  };
}

/** Whether it is known, or assumed until a conflict, which of the rows to put are new. */
function isCertain({ open }: Residence, isCareful: boolean): boolean {
  return open === 'all' || (open !== 'none' && !isCareful);
}

function hasSome({ open, isLog }: Residence): boolean {
  return open !== 'none' || isLog === true;
}

/** The unique key in which a cached row has the values of this one. */
function keyInUse(table: TableName, layer: ResidentLayer, row: Columns): readonly string[] | undefined {
  return tables[table].uniqueKeys.find((key, index) => {
    const text = keyText(key, row);
    return text !== undefined && layer.owner(index, text) !== undefined;
  });
}
