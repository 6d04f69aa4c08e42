import type pg from 'pg';
import { storedText } from '../dialect/postgres-text.js';
import type { Stored } from '../statements/rows.js';
import type { Binding, Statement } from '../statements/statement.js';

/** The texts of statements in the driver's form: numbered placeholders, and names for frequent statements. */
export interface StatementTexts {
  config(statement: Statement): pg.QueryConfig;
}

/**
 * The number of statements that the server keeps compiled for a connection; users' filters make an unlimited number of
 * others.
 */
const maxNamed = 300;
const maxKnown = 2_000;
const usesUntilNamed = 3;

interface Known {
  readonly text: string;
  uses: number;
  name: string | undefined;
}

export function createStatementTexts(): StatementTexts {
  const known = new Map<string, Known>();
  let named = 0;

  function find(sql: string): Known {
    const found = known.get(sql);
    if (found !== undefined) return found;
    if (known.size >= maxKnown) for (const [key, { name }] of known) if (name === undefined) known.delete(key);
    const added = { text: numbered(sql), uses: 0, name: undefined };
    known.set(sql, added);
    return added;
  }

  return {
    config({ sql, bindings }) {
      const statement = find(sql);
      statement.uses += 1;
      if (statement.name === undefined && statement.uses >= usesUntilNamed && named < maxNamed) {
        statement.name = `s${named++}`;
      }
      const { text, name } = statement;
      return { text, values: bindings.map(bound), ...(name !== undefined && { name }) };
    },
  };
}

/** In statements of this program a question mark is always a placeholder. */
function numbered(sql: string): string {
  let place = 0;
  return sql.replaceAll('?', () => `$${++place}`);
}

function bound(value: Binding): unknown {
  return isList(value) ? value.map(boundCell) : boundCell(value);
}

function isList(value: Binding): value is readonly Stored[] {
  return Array.isArray(value);
}

function boundCell(value: Stored | Buffer): Stored | Buffer {
  return typeof value === 'string' ? storedText(value) : value;
}
