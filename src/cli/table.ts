import { CliError } from './exit.js';
import type { Output } from './output.js';

export interface Column<Row> {
  readonly name: string;
  readonly text: (row: Row, isTerminal: boolean) => string;
}

export interface TableOptions {
  /** `--columns`: names, separated by commas; undefined = all. */
  readonly columns?: string | undefined;
  readonly hasHeaders: boolean;
}

/**
 * Prints rows to stdout. On a terminal columns are aligned and the line is cut to its width; elsewhere a row is a line with
 * tabs between its cells, whole (cli.md, 3.4). Cells must already be safe to show.
 *
 * @throws CliError USAGE for a column that there is not
 */
export async function printTable<Row>(
  output: Output,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  options: TableOptions,
): Promise<void> {
  const chosen = chooseColumns(columns, options.columns);
  const { isTerminal } = output.out;
  const cells = rows.map((row) => chosen.map((column) => column.text(row, isTerminal)));
  const headers = options.hasHeaders ? [chosen.map((column) => column.name)] : [];
  if (!isTerminal) {
    await output.out.write([...headers, ...cells].map((row) => `${row.join('\t')}\n`).join(''));
    return;
  }
  const widths = chosen.map((_, i) => Math.max(...[...headers, ...cells].map((row) => row[i]?.length ?? 0)));
  const format = (row: readonly string[]) =>
    cut(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
      output.out.width,
    );
  const lines = [...headers.map((row) => output.out.paint('dim', format(row))), ...cells.map(format)];
  await output.out.write(lines.map((line) => `${line}\n`).join(''));
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
