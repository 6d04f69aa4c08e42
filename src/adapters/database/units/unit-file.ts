import type { Selection } from '../typed.js';
import type { TableName } from '../../../ports/tables/tables.js';
import type { Connection } from '../connection.js';
import type { WriteBuffer } from './write-buffer.js';
import { matcherOf } from '../statements/selection.js';
import type { Statement } from '../statements/statement.js';

/** The file as a unit sees it: buffered rows are written before a statement that needs them. */
export interface UnitFile {
  flush(table: TableName): Promise<void>;
  flushIfMeant(table: TableName, selection: Selection): Promise<void>;
  /** Runs a statement that reads these rows. */
  read(table: TableName, selection: Selection, statement: Statement): Promise<Record<string, unknown>[]>;
  change(statement: Statement): Promise<number>;
  isWritten(): boolean;
}

interface UnitFileParts {
  readonly connection: Connection;
  /** Rows of earlier units of this transaction that are not written yet. */
  readonly earlier: WriteBuffer;
  /** Rows of this unit that are not written yet. */
  readonly buffer: WriteBuffer;
}

export function createUnitFile({ connection, earlier, buffer }: UnitFileParts): UnitFile {
  let hasWritten = false;

  async function flush(table: TableName): Promise<void> {
    for (const each of [earlier, buffer]) {
      const statements = each.take([table]).flatMap((write) => connection.dialect.writes(write));
      for (const statement of statements) await connection.change(statement);
      hasWritten ||= each === buffer && statements.length > 0;
    }
  }

  async function flushIfMeant(table: TableName, selection: Selection): Promise<void> {
    const matches = matcherOf(table, selection);
    if (earlier.has(table, matches) || buffer.has(table, matches)) await flush(table);
  }

  return {
    flush,
    flushIfMeant,
    async read(table, selection, statement) {
      await flushIfMeant(table, selection);
      return connection.rows(statement);
    },
    async change(statement) {
      const count = await connection.change(statement);
      hasWritten ||= count > 0;
      return count;
    },
    isWritten: () => hasWritten,
  };
}
