import type { TableName } from '../../../ports/tables/tables.js';
import { definitions } from './definitions.js';
import type { Base, Kind } from './kind.js';

export interface Table {
  /** In the order of their positions in statements; every table also has `sequence`, its primary key. */
  readonly columns: Readonly<Record<string, Kind>>;
  readonly uniqueKeys: readonly UniqueKey[];
  /** Columns by which the stages look up rows; the memory adapter has an index of each. */
  readonly lookups: readonly string[];
  /** Columns of long text. */
  readonly long?: readonly string[];
}

/**
 * Columns whose values no two rows share, in the order of the index. A row with a null in one of them is not in the
 * index.
 */
export type UniqueKey = readonly string[];

export const tables: { readonly [T in TableName]: Table } = definitions;

export const tableNames: readonly TableName[] = Object.keys(tables).filter((name): name is TableName => name in tables);

/** The kind of a column, or undefined if the table does not have it. */
export function kindOf(table: TableName, column: string): Kind | undefined {
  if (column === 'sequence') return 'integer';
  const { columns } = tables[table];
  return Object.hasOwn(columns, column) ? columns[column] : undefined;
}

/** Whether a column is of long text. */
export function isLong(table: TableName, column: string): boolean {
  return tables[table].long?.includes(column) === true;
}

export function baseOf(kind: Kind): Base {
  // Every kind that ends with a question mark consists of a base and that mark.
  return (kind.endsWith('?') ? kind.slice(0, -1) : kind) as Base;
}

/** Whether one of these columns is in a unique key. */
export function isOfKey(table: TableName, columns: readonly string[]): boolean {
  const { uniqueKeys } = tables[table];
  return uniqueKeys.some((key) => columns.some((column) => key.includes(column)));
}
