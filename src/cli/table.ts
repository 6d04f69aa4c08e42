import { CliError } from './exit.js';
import type { Output } from './output.js';

export interface Column<Row> {
  readonly name: string;
  readonly text: (row: Row, isTerminal: boolean) => string;
  /** Left out on a terminal that is too narrow for all: the highest first. */
  readonly spare?: number;
}

export interface TableOptions {
  /** `--columns`: names, separated by commas; undefined = all. */
  readonly columns?: string | undefined;
  readonly hasHeaders: boolean;
}

/**
 * Prints rows to stdout. On a terminal columns are aligned and the line is cut to its width; elsewhere a row is a
 * line with tabs between its cells, whole (cli.md, 3.4). Cells must already be safe to show.
 *
 * @throws CliError USAGE for a column that there is not
 */
export async function printTable<Row>(
  output: Output,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  options: TableOptions,
): Promise<void> {
  const { isTerminal, width, paint, write } = output.out;
  const headers = (chosen: readonly Column<Row>[]) => (options.hasHeaders ? [chosen.map(({ name }) => name)] : []);
  const cellsOf = (chosen: readonly Column<Row>[]) => [
    ...headers(chosen),
    ...rows.map((row) => chosen.map((column) => column.text(row, isTerminal))),
  ];
  const wanted = chooseColumns(columns, options.columns);
  if (!isTerminal) {
    await write(
      cellsOf(wanted)
        .map((cells) => `${cells.join('\t')}\n`)
        .join(''),
    );
    return;
  }
  const chosen = options.columns === undefined ? fitting(wanted, cellsOf, width) : wanted;
  const cells = cellsOf(chosen);
  const widths = widthsOf(cells);
  const lines = cells.map((row) =>
    cut(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join(gap)
        .trimEnd(),
      width,
    ),
  );
  const shown = lines.map((line, i) => (i === 0 && options.hasHeaders ? paint('dim', line) : line));
  await write(shown.map((line) => `${line}\n`).join(''));
}

const gap = '  ';

function widthsOf(cells: readonly (readonly string[])[]): number[] {
  return (cells[0] ?? []).map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
}

/** The columns that fit side by side, without those that can be spared, or none is left to spare. */
function fitting<Row>(
  columns: readonly Column<Row>[],
  cellsOf: (columns: readonly Column<Row>[]) => readonly (readonly string[])[],
  width: number,
): readonly Column<Row>[] {
  const widths = widthsOf(cellsOf(columns));
  const needed = widths.reduce((sum, each) => sum + each + gap.length, -gap.length);
  const spare = columns.toSorted((a, b) => (b.spare ?? 0) - (a.spare ?? 0))[0];
  if (needed <= width || spare?.spare === undefined) return columns;
  return fitting(
    columns.filter((column) => column !== spare),
    cellsOf,
    width,
  );
}

/** A line that fits into so many columns. */
export function cut(line: string, width: number): string {
  return line.length > width ? `${line.slice(0, Math.max(0, width - 1))}…` : line;
}

function chooseColumns<Row>(columns: readonly Column<Row>[], wanted: string | undefined): readonly Column<Row>[] {
  if (wanted === undefined) return columns;
  return wanted.split(',').map((name) => {
    const column = columns.find((candidate) => candidate.name === name.trim().toLowerCase());
    if (column !== undefined) return column;
    const known = columns.map((candidate) => candidate.name).join(', ');
    throw new CliError('USAGE', `There is no column "${name}".`, { hint: `Columns are ${known}.` });
  });
}
