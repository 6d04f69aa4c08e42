import type { Parameters } from '../../../src/client/page.js';

/** An order of a list by one field of the node. */
export interface Sorting<Row> {
  /** As the node's filters name it. */
  readonly field: string;
  readonly isDescending: boolean;
  /** The list has this order without being asked for it. */
  readonly isOwn?: boolean;
  /** The value of that field, where every row has one; undefined for a row that cannot be paged from. */
  readonly keyOf?: (row: Row) => string | number | undefined;
}

/** The order as parameters of the node. */
export function sortParameters<Row>(sorting: Sorting<Row> | undefined): Parameters {
  if (sorting === undefined || sorting.isOwn === true) return [];
  return [['sort', `${sorting.isDescending ? '-' : ''}${sorting.field}`]];
}

/**
 * The parameters of the page behind these rows, before which others were let go. It begins at the key of the last one,
 * past the rows that share it, so that what comes meanwhile moves nothing. Without a key it is found by counting, and
 * also where rows that share it may have been let go.
 */
export function pageBehind<Row>(
  rows: readonly Row[],
  sorting: Sorting<Row> | undefined,
  parameters: Parameters,
  letGo = 0,
): Parameters {
  const key = lastKey(rows, sorting, parameters);
  const same = rows.filter((row) => sorting?.keyOf?.(row) === key).length;
  if (sorting === undefined || key === undefined || (letGo > 0 && same === rows.length))
    return [['skip', String(letGo + rows.length)]];
  return [
    [sorting.field, `${sorting.isDescending ? '[<=' : '[>='}${key}`],
    ['skip', String(same)],
  ];
}

/** The key that the page behind these rows begins at; undefined where it is found by counting. */
export function lastKey<Row>(
  rows: readonly Row[],
  sorting: Sorting<Row> | undefined,
  parameters: Parameters,
): string | number | undefined {
  const last = rows.at(-1);
  if (last === undefined || sorting === undefined || takesAny(sorting.field, parameters)) return undefined;
  return sorting.keyOf?.(last);
}

/** Whether several filters of a field let pass what any of them wants: a further one would make all of them count. */
function takesAny(field: string, parameters: Parameters): boolean {
  const values = parameters.filter(([name]) => name.toLowerCase() === field).map(([, value]) => value);
  return values.length > 1 && !values.some((value) => /^[!:?\]]*\[/.test(value));
}
