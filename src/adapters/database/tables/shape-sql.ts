import assert from 'node:assert/strict';
import type { Keys, Shape, Source } from '../../../ports/tables/shape.js';
import type { TableName } from '../../../ports/tables/tables.js';
import type { JsonText } from '../../../wire/scalar.js';
import { textSql } from '../dialect/ids.js';
import { timeTextSql } from '../dialect/times.js';
import { keysText, keySql } from '../dialect/sqlite-keys.js';
import { quote, type Statement } from '../statements/statement.js';
import { baseOf, kindOf } from './tables.js';

/** A name that may be written into a statement as it is. */
const plainName = /^\w+$/;
/** The separator between two texts: no JSON text contains it. */
const separator = '\u001e';

/**
 * Returns the statement that reads rows as texts, for `textsIn`: all in one cell, since a second cell costs more in the
 * driver than in SQLite.
 */
export function textsStatement<T extends TableName>(table: T, shape: Shape<T>, keys: Keys<T>): Statement {
  const equal = (column: string, index: number): string =>
    `${quote(column)} = ${keySql(table, column, `json_each.value ->> ${index}`)}`;
  const where = keys.columns.map(equal).join(' and ');
  const row = `select ${rowSql(table, shape)} from ${quote(table)} where ${where}`;
  const texts = `select coalesce((${row}), '') as "text" from json_each(?)`;
  return {
    method: 'select',
    sql: `select group_concat("text", char(${separator.charCodeAt(0)})) as "texts" from (${texts})`,
    bindings: [keysText(table, keys)],
  };
}

/** Splits the answer of a `textsStatement`. */
export function textsIn(rows: readonly Record<string, unknown>[]): readonly (JsonText | undefined)[] {
  const texts = rows[0]?.texts;
  if (typeof texts !== 'string') return [];
  return texts.split(separator).map((text) => (text === '' ? undefined : (text as JsonText))); // written by SQLite
}

/** An SQL expression for a JSON text or a value, and whether it may be null. */
interface Expression {
  readonly sql: string;
  readonly isNullable: boolean;
}

const rows = new WeakMap<object, string>();

/** Cached: a shape belongs to one table and is used repeatedly. */
function rowSql<T extends TableName>(table: T, shape: Shape<T>): string {
  const sql = rows.get(shape) ?? objectSql(table, shape);
  rows.set(shape, sql);
  return sql;
}

/** `format` writes a text once, whereas each `||` copies the text so far. */
function objectSql<T extends TableName>(table: T, shape: Shape<T>): string {
  const members = Object.entries(shape).map(([name, source], index) => {
    assert(plainName.test(name), 'the members of a shape have plain names');
    const start = `${index === 0 ? '{' : ','}"${name}":`;
    const { sql, isNullable } = sourceSql(table, source);
    if (!isNullable || index === 0) return { pattern: `${start}%s`, value: sql };
    return { pattern: '%s', value: `'${start}' || ${sql}` };
  });
  const pattern = members.map((member) => member.pattern).join('');
  return `format('${pattern}}', ${members.map(({ value }) => value).join(', ')})`;
}

function sourceSql<T extends TableName>(table: T, source: Source<T>): Expression {
  if (typeof source === 'string') return columnSql(table, source);
  if (source.is === 'object') return nestedSql(table, source.of);
  const column = quote(source.column);
  switch (source.is) {
    case 'filled':
      return { sql: `nullif(${column}, '[]')`, isNullable: true };
    case 'each':
      return { ...columnSql(table, source.column), sql: eachSql(column, source.members) };
    case 'behindSpace': {
      assert(plainName.test(source.word), 'a word is plain');
      // As bytes, since SQLite's text functions stop at a zero byte.
      const bytes = `cast(${column} as blob)`;
      const behind = `coalesce(cast(substr(${bytes}, instr(${bytes}, x'20') + 1) as text), '')`;
      const text = `case when ${quote(source.where)} = '${source.word}' then ${behind} else ${column} end`;
      return { sql: `case when ${column} notnull then json_quote(${text}) end`, isNullable: true };
    }
  }
}

function columnSql<T extends TableName>(table: T, name: string): Expression {
  const kind = kindOf(table, name);
  assert(kind !== undefined, `${table} has no column ${name}`);
  const column = quote(name);
  const isNullable = kind.endsWith('?');
  const written = writtenSql(baseOf(kind), column);
  return {
    sql: isNullable && written !== column ? `case when ${column} notnull then ${written} end` : written,
    isNullable,
  };
}

function writtenSql(base: ReturnType<typeof baseOf>, column: string): string {
  switch (base) {
    case 'text':
    case 'word':
      return `json_quote(${column})`;
    case 'id':
      return `json_quote(${textSql(column)})`;
    case 'time':
      return `json_quote(${timeTextSql(column)})`;
    case 'boolean':
      return `iif(${column}, 'true', 'false')`;
    case 'integer':
    case 'json':
      return column;
  }
}

function nestedSql<T extends TableName>(table: T, shape: Shape<T>): Expression {
  const [first] = Object.values(shape);
  assert(first !== undefined, 'an object of a shape has members');
  const { sql, isNullable } = sourceSql(table, first);
  const object = objectSql(table, shape);
  return { sql: isNullable ? `case when ${sql} notnull then ${object} end` : object, isNullable };
}

/** Most arrays have one element, for which starting a query costs more than everything else. */
function eachSql(column: string, members: readonly string[]): string {
  const one = members.map((member) => `'${member}', ${column} ->> '$[0].${member}'`);
  const each = members.map((member) => `'${member}', value ->> '${member}'`);
  for (const member of members) assert(plainName.test(member), 'the members of a shape have plain names');
  return (
    `case json_array_length(${column}) when 1 then json_array(json_object(${one.join(', ')})) ` +
    `else (select json_group_array(json_object(${each.join(', ')})) from json_each(${column})) end`
  );
}
