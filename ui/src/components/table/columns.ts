import type { ReactNode } from 'react';
import type { Sorting } from '../../api/sorting.js';

export interface Column<Row> {
  readonly name: string;
  readonly title: string;
  /** In pixels. Columns without a width share the rest. */
  readonly width?: number;
  readonly isNumber?: boolean;
  /** The minimum width of the table, in pixels, at which it is shown unless columns are chosen. */
  readonly from?: number;
  /** The field by which the column sorts the list. */
  readonly sort?: Omit<Sorting<Row>, 'isDescending'>;
  readonly render: (row: Row) => ReactNode;
  /** The full text of a shortened cell, for a copy button. */
  readonly copy?: (row: Row) => string;
}

/** The columns of a list that are chosen by the URL or stored in the browser. */
export interface ChosenColumns {
  /** Undefined if none are chosen, so that the width decides. */
  readonly names: readonly string[] | undefined;
  /** A sentence about unknown names. */
  readonly notice: string | undefined;
}

/** The chosen columns in the order of the list. Unknown names are ignored. */
export function chosenColumns<Row>(
  columns: readonly Column<Row>[],
  wanted: readonly string[] | undefined,
): ChosenColumns {
  if (wanted === undefined) return { names: undefined, notice: undefined };
  const known = columns.map(({ name }) => name);
  const unknown = wanted.filter((name) => !known.includes(name));
  const names = known.filter((name) => wanted.includes(name));
  const notice =
    unknown.length === 0 ? undefined : `No column named ${unknown.join(', ')}. Columns: ${known.join(', ')}.`;
  return { names: names.length === 0 ? undefined : names, notice };
}

/** The width of the last column, which has the column chooser. */
export const chooserPx = 32;
/** The least width of a column without one: enough to tell names apart. */
const minFreePx = 80;

/**
 * The visible columns at a width of the table, in pixels. If the others would leave too little for those without a
 * width, the columns that are shown only in the widest tables are left out.
 */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  names: readonly string[] | undefined,
  width: number,
): readonly Column<Row>[] {
  if (names !== undefined) return columns.filter(({ name }) => names.includes(name));
  const shown = columns.filter(({ from = 0 }) => width >= from);
  const leastPx = () => shown.reduce((sum, column) => sum + (column.width ?? minFreePx), chooserPx);
  while (leastPx() > width) {
    const widest = Math.max(...shown.map(({ from = 0 }) => from));
    if (widest <= 0) break;
    shown.splice(
      shown.findLastIndex(({ from }) => from === widest),
      1,
    );
  }
  return shown;
}

/** The order named in the URL; undefined, with a notice, if no column sorts by it. */
export function sortingOf<Row>(
  columns: readonly Column<Row>[],
  text: string | undefined,
): { readonly sorting: Sorting<Row> | undefined; readonly notice: string | undefined } {
  if (text === undefined) return { sorting: undefined, notice: undefined };
  const isDescending = text.startsWith('-');
  const field = isDescending ? text.slice(1) : text;
  const sort = columns.find((column) => column.sort?.field === field)?.sort;
  if (sort !== undefined) return { sorting: { ...sort, isDescending }, notice: undefined };
  const known = columns.flatMap((column) => column.sort?.field ?? []);
  const which = known.length === 0 ? 'Its order is fixed.' : `It can be sorted by: ${known.join(', ')}.`;
  return { sorting: undefined, notice: `This list cannot be sorted by ${field}. ${which}` };
}

/** The next order when a column is clicked: one direction, the other, then the default order of the list. */
export function nextSort<Row>({ sort, isNumber = false }: Column<Row>, current: string | undefined) {
  if (sort === undefined) return current;
  const [first, second] = isNumber ? [`-${sort.field}`, sort.field] : [sort.field, `-${sort.field}`];
  if (current === first) return second;
  return current === second ? undefined : first;
}
