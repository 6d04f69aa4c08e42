import type { TableName } from '../../../ports/tables/tables.js';
import { writeStatements } from '../dialect/sqlite.js';
import { formOf, type WriteForm } from './literals.js';
import type { Pack } from './pack.js';

/**
 * Passing a statement to another thread and waiting for it costs ten times as much as its work in SQLite. So the writes
 * of a commit are one text of several statements, with its transaction. Tables whose rows are long or many are written
 * first, with bound values, which is cheaper for them.
 */
export function createSqlitePack(): Pack {
  let hasBegun = false;
  return {
    statements(writes) {
      const [only] = writes;
      if (only !== undefined && writes.length === 1) return writeStatements(only);
      const forms = writes.map(formOf);
      // All writes of a table keep their order.
      const apart = new Set<TableName>();
      for (const { write, text } of forms) if (text === undefined) apart.add(write.table);
      const isApart = ({ write }: WriteForm): boolean => apart.has(write.table);
      const statements = forms.filter(isApart).flatMap(({ write, rows }) => writeStatements(write, rows));
      const together = forms.flatMap((form) => (isApart(form) ? [] : (form.text ?? [])));
      if (together.length === 0) return statements;
      const isAlone = statements.length === 0 && !hasBegun;
      const script = isAlone ? ['begin immediate', ...together, 'commit'] : together;
      return [...statements, { method: 'script', sql: script.join(';\n'), bindings: [] }];
    },

    begin() {
      hasBegun = true;
    },

    end() {
      hasBegun = false;
    },

    undo() {
      hasBegun = false;
    },

    // There is no connection that could lose an answer.
    isCommitted: () => Promise.resolve(false),
  };
}
