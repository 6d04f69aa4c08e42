import type { ReactNode } from 'react';
import type { Sorting } from '../../api/sorting.js';

/** A column of a list. */
export interface Column<Row> {
  readonly name: string;
  readonly title: string;
  /** In pixels; a column without one takes what is left. */
  readonly width?: number;
  readonly isNumber?: boolean;
  /** From which width of the table on it is shown, where nobody has chosen columns. */
  readonly from?: number;
  /** The order of the node's list that the column stands for. */
  readonly sort?: Omit<Sorting<Row>, 'isDescending'>;
  readonly render: (row: Row) => ReactNode;
  /** The whole of what the cell shows the beginning of, to be copied. */
  readonly copy?: (row: Row) => string;
}

/** Columns of a list as the URL has them, or as this browser keeps them for the list. */
export interface ChosenColumns {
  /** Undefined where nobody has chosen: then the width decides. */
  readonly names: readonly string[] | undefined;
  /** One sentence for what is named and not there. */
  readonly notice: string | undefined;
}

/** The columns that are asked for, in the order of the list; names that mean nothing are passed over. */
export function chosenColumns<Row>(
  columns: readonly Column<Row>[],
  wanted: readonly string[] | undefined,
): ChosenColumns {
  if (wanted === undefined) return { names: undefined, notice: undefined };
  const known = columns.map(({ name }) => name);
  const unknown = wanted.filter((name) => !known.includes(name));
  const names = known.filter((name) => wanted.includes(name));
  const notice =
    unknown.length === 0 ? undefined : `There is no column ${unknown.join(', ')}. There are: ${known.join(', ')}.`;
  return { names: names.length === 0 ? undefined : names, notice };
}

/** The columns that are shown in a table of a width. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  names: readonly string[] | undefined,
  width: number,
): readonly Column<Row>[] {
  if (names !== undefined) return columns.filter(({ name }) => names.includes(name));
  return columns.filter(({ from }) => from === undefined || width >= from);
}

/** The order that a text of the URL asks for; undefined where no column stands for it. */
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
  const which = known.length === 0 ? 'It has an order of its own.' : `There are: ${known.join(', ')}.`;
  return { sorting: undefined, notice: `This list cannot be sorted by ${field}. ${which}` };
}

/** The next order of a column that is chosen again and again: one way, the other way, that of the list itself. */
export function nextSort<Row>({ sort, isNumber = false }: Column<Row>, current: string | undefined) {
  if (sort === undefined) return current;
  const [first, second] = isNumber ? [`-${sort.field}`, sort.field] : [sort.field, `-${sort.field}`];
  if (current === first) return second;
  return current === second ? undefined : first;
}
