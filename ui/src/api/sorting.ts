import type { Parameters } from '../../../src/client/page.js';

/** The order of a list by one field. */
export interface Sorting<Row> {
  /** As the node's filters name it. */
  readonly field: string;
  readonly isDescending: boolean;
  /** Whether this is the default order of the list. */
  readonly isOwn?: boolean;
  /** Reads the field, if every row has it; undefined for a row from which no page can begin. */
  readonly keyOf?: (row: Row) => string | number | undefined;
}

export function sortParameters<Row>(sorting: Sorting<Row> | undefined): Parameters {
  if (sorting === undefined || sorting.isOwn === true) return [];
  return [['sort', `${sorting.isDescending ? '-' : ''}${sorting.field}`]];
}

/**
 * The query parameters of the page behind these rows. The page begins at the key of the last row and skips the rows
 * that share it, so that new rows do not move it. Without a key, or if some of the dropped rows may share it, the page
 * is found by counting all rows.
 *
 * @param dropped The number of rows before these that were dropped.
 */
export function pageBehind<Row>(
  rows: readonly Row[],
  sorting: Sorting<Row> | undefined,
  parameters: Parameters,
  dropped = 0,
): Parameters {
  const key = lastKey(rows, sorting, parameters);
  const same = rows.filter((row) => sorting?.keyOf?.(row) === key).length;
  if (sorting === undefined || key === undefined || (dropped > 0 && same === rows.length))
    return [['skip', String(dropped + rows.length)]];
  return [
    [sorting.field, `${sorting.isDescending ? '[<=' : '[>='}${key}`],
    ['skip', String(same)],
  ];
}

/** The key at which the page behind these rows begins; undefined if the page is found by counting. */
export function lastKey<Row>(
  rows: readonly Row[],
  sorting: Sorting<Row> | undefined,
  parameters: Parameters,
): string | number | undefined {
  const last = rows.at(-1);
  if (last === undefined || sorting === undefined || takesAny(sorting.field, parameters)) return undefined;
  return sorting.keyOf?.(last);
}

/** Whether the node combines several filters of this field with OR. An added comparison would change that to AND. */
function takesAny(field: string, parameters: Parameters): boolean {
  const values = parameters.filter(([name]) => name.toLowerCase() === field).map(([, value]) => value);
  return values.length > 1 && !values.some((value) => /^[!:?\]]*\[/.test(value));
}
