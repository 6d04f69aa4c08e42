import { every } from '../../../ports/tables/where.js';
import type { Selection } from '../typed.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { among } from '../../../wire/lists/query.js';
import type { Dialect } from '../dialect/dialect.js';
import type { ResidentView } from './store.js';
import { asRows, asValues, columnOf, countIn } from '../statements/rows.js';
import { assertKey, assertWhere } from '../statements/selection.js';
import { quote, type Statement } from '../statements/statement.js';
import type { Reads } from '../typed.js';

/** Runs a statement that reads the rows of a selection. */
type Ask = (table: TableName, selection: Selection, statement: Statement) => Promise<Record<string, unknown>[]>;

/** Creates the reads of a unit or of other callers: from memory if possible, otherwise through the engine. */
export function createCachedReads(resident: ResidentView, dialect: Dialect, ask: Ask): Reads {
  return {
    async find(table, query) {
      const known = resident.find(table, query);
      if (known !== undefined) return asRows(known);
      return dialect.found(table, await ask(table, query, dialect.find(table, query)));
    },
    async values(table, column, query) {
      const known = resident.find(table, query);
      if (known !== undefined) return asRows<typeof table>(known).map((row) => row[column]);
      const answer = await ask(table, query, dialect.selectOf(table, query, quote(column)));
      const definition = columnOf(table, column);
      return asValues(answer.map((row) => dialect.value(definition, row[column])));
    },
    async exact(table, keys) {
      assertKey(table, keys.columns);
      const { rows, missing } = resident.exact(table, keys);
      if (missing.length === 0) return asRows([...rows]);
      const where = keys.columns.map((column, index) =>
        among(
          column,
          missing.map((each) => each[index] ?? ''),
        ),
      );
      const statement = dialect.exact(table, { ...keys, values: missing });
      const answer = await ask(table, { namespace: every, where }, statement);
      return [...asRows<typeof table>([...rows]), ...dialect.found(table, answer)];
    },
    async count(table, selection) {
      assertWhere(table, selection.where);
      const known = resident.select(table, selection);
      return known?.length ?? countIn(await ask(table, selection, dialect.count(table, selection)));
    },
  };
}
