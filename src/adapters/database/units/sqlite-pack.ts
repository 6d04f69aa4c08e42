import type { TableName } from '../../../ports/tables/tables.js';
import type { Connection } from '../connection.js';
import { writeStatements } from '../dialect/sqlite.js';
import type { Pack } from './pack.js';
import { plain, type Statement } from '../statements/statement.js';
import { packedRows, type Write, writeText } from './write.js';

/** The limit of one statement: more than most commits have. */
const maxWrites = 16;
/** SQLite looks at every trigger of a view on each write, so there are several views with few triggers each. */
const maxTriggers = 8;

/**
 * Passing a statement to another thread and waiting for it costs ten times as much as its work in SQLite. So the writes
 * of a commit are inserted as rows of a view, a kind and a JSON text each; each kind has a trigger, created on its
 * first use, that reads the rows out of the text. Views and triggers are temporary: none is in the file.
 */
export function createSqlitePack(connection: Connection): Pack {
  /** The number of each kind, by its SQL. No number is used twice, even after a rollback. */
  const kinds = new Map<string, number>();
  let nextKind = 0;
  let firstUndone = 0;

  async function kindOf(write: Write): Promise<number> {
    const text = writeText(write);
    const known = kinds.get(text('?'));
    if (known !== undefined) return known;
    const kind = nextKind++;
    for (const sql of triggersFor(kind, text('new."rows"'))) await connection.rows(plain(sql));
    kinds.set(text('?'), kind);
    return kind;
  }

  return {
    async statements(writes) {
      const [only] = writes;
      if (only !== undefined && writes.length === 1) return writeStatements(only);
      const packed = writes.map((write) => ({ write, rows: packedRows(write) }));
      const apart = new Set<TableName>();
      for (const { write, rows } of packed) if (rows === undefined) apart.add(write.table);
      const statements = writes.filter(({ table }) => apart.has(table)).flatMap(writeStatements);
      const cells: (string | number)[][] = [];
      for (const { write, rows } of packed) {
        if (rows !== undefined && !apart.has(write.table)) cells.push([await kindOf(write), rows]);
      }
      for (let from = 0; from < cells.length; from += maxWrites) {
        statements.push(packedStatement(cells.slice(from, from + maxWrites)));
      }
      return statements;
    },

    begin() {
      firstUndone = nextKind;
    },

    end: () => undefined,

    undo() {
      for (const [text, kind] of kinds) if (kind >= firstUndone) kinds.delete(text);
    },

    // Nothing is between the engine and this process that could lose an answer.
    isCommitted: () => Promise.resolve(false),
  };
}

/** Uses one of few texts, since each is compiled with all triggers: the unused rows at the end have no kind. */
function packedStatement(cells: readonly (readonly (string | number)[])[]): Statement {
  const count = 2 ** Math.ceil(Math.log2(cells.length));
  const none = Array.from({ length: 2 * (count - cells.length) }, () => null);
  const values = Array.from({ length: count }, () => '(?, ?)').join(', ');
  const sql = `insert into temp."writes" ("kind", "rows") values ${values}`;
  return { method: 'insert', sql, bindings: [...cells.flat(), ...none] };
}

/**
 * The statements that create the trigger of a kind: its writes pass through the view of all kinds and the view of a
 * few.
 */
function triggersFor(kind: number, text: string): readonly string[] {
  const first = kind - (kind % maxTriggers);
  const view = (name: string) => `create temp view if not exists "${name}" as select null as "kind", null as "rows"`;
  return [
    view('writes'),
    view(`writes${first}`),
    `create temp trigger if not exists "from${first}" instead of insert on "writes" ` +
      `when new."kind" between ${first} and ${first + maxTriggers - 1} ` +
      `begin insert into "writes${first}" values (new."kind", new."rows"); end`,
    `create temp trigger "write${kind}" instead of insert on "writes${first}" when new."kind" = ${kind} ` +
      `begin ${text}; end`,
  ];
}
