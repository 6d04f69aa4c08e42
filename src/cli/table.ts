import { CliError } from './exit.js';
import type { Output } from './output.js';

export interface Column<Row> {
  readonly name: string;
  readonly text: (row: Row, isTerminal: boolean) => string;
  /** May be left out on a terminal that is too narrow for all: the higher, the sooner. */
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

/** The columns that cannot be spared, and of the others those that still fit beside them, the lowest first. */
function fitting<Row>(
  columns: readonly Column<Row>[],
  cellsOf: (columns: readonly Column<Row>[]) => readonly (readonly string[])[],
  width: number,
): readonly Column<Row>[] {
  const widths = widthsOf(cellsOf(columns)).map((each) => each + gap.length);
  const sized = columns.map((column, i) => ({ column, spare: column.spare ?? 0, size: widths[i] ?? 0 }));
  let room = width + gap.length;
  const kept = new Set<Column<Row>>();
  for (const { column, spare, size } of sized.toSorted((a, b) => a.spare - b.spare)) {
    if (spare > 0 && size > room) continue;
    kept.add(column);
    room -= size;
  }
  return columns.filter((column) => kept.has(column));
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
