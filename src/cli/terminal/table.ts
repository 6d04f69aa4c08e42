import { CliError } from '../errors/exit.js';
import type { Output } from './output.js';
import { age, safe } from './text.js';
import { cut, pad, widthOf } from './width.js';

export interface Column<Row> {
  readonly name: string;
  /** The heading if stdout is not a terminal, where the column has other content; default: `name`. */
  readonly plainName?: string;
  readonly text: (row: Row, isTerminal: boolean) => string;
  /** Whether the column may be omitted on a narrow terminal: those with a higher number are omitted first. */
  readonly spare?: number;
}

export interface TableOptions {
  /** `--columns`: names, separated by commas; undefined = all. */
  readonly columns?: string | undefined;
  readonly hasHeaders: boolean;
}

/** A column of ages on a terminal, elsewhere of ISO times with `plainName` as heading. */
export function ageColumn<Row>(
  plainName: 'created' | 'updated' | 'time',
  timeOf: (row: Row) => string | undefined,
  nowMs: number,
  spare = 0,
): Column<Row> {
  const text = (row: Row, isTerminal: boolean) => {
    const time = timeOf(row) ?? '';
    return isTerminal && time !== '' ? age(time, nowMs) : safe(time);
  };
  return { name: 'age', plainName, spare, text };
}

/**
 * Prints rows to stdout. On a terminal columns are aligned, and the widest are cut until a line fits; elsewhere cells
 * are separated by tabs and not cut (docs/operations.md §11.2). Cells must be escaped already.
 *
 * @throws CliError USAGE for an unknown column
 */
export async function printTable<Row>(
  output: Output,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  options: TableOptions,
): Promise<void> {
  const { isTerminal, width, paint, write } = output.out;
  const heading = ({ name, plainName = name }: Column<Row>) => (isTerminal ? name : plainName);
  const headers = (chosen: readonly Column<Row>[]) => (options.hasHeaders ? [chosen.map(heading)] : []);
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
  const widths = shrunk(widthsOf(cells), width);
  const lines = cells.map((row) => cut(lineOf(row, widths), width));
  const shown = lines.map((line, i) => (i === 0 && options.hasHeaders ? paint('dim', line) : line));
  await write(shown.map((line) => `${line}\n`).join(''));
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, i) => pad(cut(cell, widths[i] ?? 0), widths[i] ?? 0));
  return cells.join(gap).trimEnd();
}

const gap = '  ';

function widthsOf(cells: readonly (readonly string[])[]): number[] {
  return (cells[0] ?? []).map((_, i) => Math.max(...cells.map((row) => widthOf(row[i] ?? ''))));
}

/** The minimum width of a column. */
const minCells = 6;

/** Column widths that fit on a line: the widest are cut first, so that no column is lost. */
function shrunk(widths: readonly number[], width: number): number[] {
  const room = width - gap.length * (widths.length - 1);
  for (let most = Math.max(minCells, room); most > minCells; most--) {
    const fitted = widths.map((each) => Math.min(each, most));
    if (fitted.reduce((sum, each) => sum + each, 0) <= room) return fitted;
  }
  return widths.map((each) => Math.min(each, minCells));
}

/** The columns that must be shown, and as many of the others as fit, the lowest `spare` first. */
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

function chooseColumns<Row>(columns: readonly Column<Row>[], wanted: string | undefined): readonly Column<Row>[] {
  if (wanted === undefined) return columns;
  return wanted.split(',').map((name) => {
    const typed = name.trim().toLowerCase();
    const column = columns.find((candidate) => candidate.name === typed || candidate.plainName === typed);
    if (column !== undefined) return column;
    const known = columns.map((candidate) => candidate.name).join(', ');
    throw new CliError('USAGE', `Unknown column "${name}".`, { hint: `Columns are ${known}.` });
  });
}
