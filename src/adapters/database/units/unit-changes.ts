import type { Selection } from '../typed.js';
import type { TableName } from '../../../ports/tables/tables.js';
import type { Dialect } from '../dialect/dialect.js';
import type { WriteBuffer } from './write-buffer.js';
import { keyText } from '../memory/index.js';
import { canOpen } from '../resident/residences.js';
import { matching } from '../resident/resident.js';
import type { ResidentLayer } from '../resident/layer.js';
import type { ResidentUnit } from '../resident/store.js';
import { assertValues, residentRow } from '../statements/rows.js';
import { assertWhere, type Columns, sequenceOf } from '../statements/selection.js';
import { isOfKey, tables } from '../tables/tables.js';
import type { UnitFile } from './unit-file.js';
import { assertChanges, changedRows, removedRows } from './write.js';

interface ChangeParts {
  readonly dialect: Dialect;
  readonly resident: ResidentUnit;
  readonly buffer: WriteBuffer;
  readonly file: UnitFile;
}

/** Changes and removals of rows: buffered if the affected rows are known, otherwise written to the file at once. */
export function createChanges({ dialect, resident, buffer, file }: ChangeParts) {
  async function updateInFile(table: TableName, selection: Selection, changes: Columns): Promise<number> {
    const statement = dialect.update(table, selection, changes);
    if (isOfKey(table, Object.keys(changes))) await file.flush(table);
    else await file.flushIfMeant(table, selection);
    const layer = resident.of(table);
    const known = layer === undefined ? [] : matching(table, layer, selection);
    for (const row of known) layer?.set(residentRow(table, row, changes));
    const count = await file.change(statement);
    if (layer !== undefined && count > known.length && canOpen(layer.residence, changes)) layer.distrust();
    return count;
  }

  return {
    async update(table: TableName, selection: Selection, changes: Columns): Promise<number> {
      assertValues(table, changes, false);
      assertWhere(table, selection.where);
      const known = isOfKey(table, Object.keys(changes)) ? undefined : resident.select(table, selection);
      if (known === undefined) return updateInFile(table, selection, changes);
      const rows = known.map((row) => ({ sequence: sequenceOf(row), ...changes }));
      buffer.add(changedRows(table, 'sequence', rows));
      for (const row of known) resident.of(table)?.set(residentRow(table, row, changes));
      return known.length;
    },

    updateEach(table: TableName, key: string, rows: readonly Columns[]): void {
      assertChanges(table, key, rows);
      buffer.add(changedRows(table, key, rows));
      const layer = resident.of(table);
      if (layer === undefined) return;
      for (const { [key]: value, ...changes } of rows) {
        const row = rowNamed(table, layer, key, value);
        if (row !== undefined) layer.set(residentRow(table, row, changes));
        else if (canOpen(layer.residence, changes)) layer.distrust();
      }
    },

    async remove(table: TableName, selection: Selection): Promise<number> {
      assertWhere(table, selection.where);
      const layer = resident.of(table);
      const known = resident.select(table, selection);
      if (known !== undefined) {
        buffer.add(removedRows(table, known));
        for (const row of known) layer?.remove(row);
        return known.length;
      }
      const statement = dialect.remove(table, selection);
      // A row that was put earlier may replace one that is removed now, so the order of all of them must be kept.
      await file.flush(table);
      if (layer !== undefined) for (const row of matching(table, layer, selection)) layer.remove(row);
      return file.change(statement);
    },
  };
}

/** The row named by a sequence, or by the value of a unique key of one column. */
function rowNamed(table: TableName, layer: ResidentLayer, key: string, value: unknown): Columns | undefined {
  if (key === 'sequence') return layer.at(Number(value));
  const index = tables[table].uniqueKeys.findIndex((each) => each.length === 1 && each[0] === key);
  const text = keyText([key], { [key]: value });
  return text === undefined ? undefined : layer.owner(index, text);
}
