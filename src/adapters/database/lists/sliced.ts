import assert from 'node:assert/strict';
import type { ListQuery, Lists } from '../../../ports/database.js';
import type { TableName, Tables } from '../../../ports/tables/tables.js';
import { totalOrder } from '../../../wire/lists/query.js';
import type { Dialect } from '../dialect/dialect.js';
import type { ResidentView } from '../resident/store.js';
import { asRows, countIn } from '../statements/rows.js';
import { assertWhere } from '../statements/selection.js';
import type { Slice } from '../statements/query.js';
import { type Statement, together } from '../statements/statement.js';
import type { Selection } from '../typed.js';
import { alternativesOf, mergedPage } from './alternatives.js';
import type { SerialReads } from './limited.js';

export interface ListsParts {
  readonly dialect: Dialect;
  readonly resident: ResidentView;
  /** For reads that an index serves. */
  readonly quick: SerialReads;
  /** For slices of other reads. */
  readonly slow: SerialReads;
  /** The number of rows in the first slice. */
  readonly firstRows?: number;
}

/** The time within which a read that an index serves ends. */
const quickMs = 200;
/** The intended time for the rows of a slice, and the time after which a slice is ended and halved. */
const sliceMs = 25;
const maxSliceMs = 250;
/** The number of rows in the first slice; later slices are adjusted. */
const firstSliceRows = 2_000;
const maxSliceRows = 50_000;
/** A slice without rows, which shows the fixed cost of its statement. */
const noRows: Slice = { from: 1, to: 0 };
/** Rows kept while slices are read; a page further back is read as a whole. */
const maxKept = 10_000;
/** Longer than any request lasts. */
const unlimitedMs = 3_600_000;

/**
 * Creates the reads of lists, with any filter and order. Each read is first tried directly, which takes milliseconds if
 * an index serves it: as a whole, or in parts that have an index each, all in one statement, since a row that is
 * decided between two statements could appear in neither. If no index serves it, the table is read in slices of its
 * sequences, which never change, and the slices of several lists take turns.
 */
export function createLists(parts: ListsParts): Lists {
  const { resident } = parts;
  return {
    async find(table, query, signal) {
      const known = resident.find(table, query);
      return known === undefined ? findInFile(parts, table, query, signal) : asRows(known);
    },
    async count(table, selection, signal) {
      assertWhere(table, selection.where);
      const known = resident.select(table, selection);
      return known === undefined ? countInFile(parts, table, selection, signal) : known.length;
    },
  };
}

async function findInFile<T extends TableName>(
  parts: ListsParts,
  table: T,
  query: ListQuery,
  signal: AbortSignal | undefined,
): Promise<readonly Tables[T][]> {
  const { dialect, slow } = parts;
  const whole = dialect.find(table, query);
  const end = (query.skip ?? 0) + query.limit;
  const alternatives = end <= maxKept ? alternativesOf(table, query.where) : undefined;
  const first = alternatives?.map((where) => dialect.find(table, { ...query, where, skip: 0, limit: end }));
  const answer = await tryAtOnce(parts, first === undefined ? whole : together(first), signal);
  if (answer !== undefined) {
    const rows = dialect.found(table, answer);
    return first === undefined ? rows : mergedPage(query, [rows]);
  }
  if (end <= maxKept) return pageInSlices(parts, table, query, signal);
  const late = await slow.rows(whole, { ms: unlimitedMs, signal });
  signal?.throwIfAborted();
  assert(late !== undefined, 'a read without a limit ends');
  return dialect.found(table, late.rows);
}

async function countInFile(
  parts: ListsParts,
  table: TableName,
  selection: Selection,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { dialect } = parts;
  const alternatives = alternativesOf(table, selection.where) ?? [selection.where];
  const counts = alternatives.map((where) => dialect.count(table, { ...selection, where }));
  const answer = await tryAtOnce(parts, together(counts), signal);
  if (answer !== undefined) return countIn(answer);
  const statementOf = (slice: Slice): Statement => dialect.count(table, selection, slice);
  let count = 0;
  for await (const part of inSlices(parts, { table, statementOf, isDescending: true, signal })) count += countIn(part);
  return count;
}

/** Tries a read directly; undefined if no index serves it. */
async function tryAtOnce({ quick }: ListsParts, statement: Statement, signal: AbortSignal | undefined) {
  const answer = await quick.rows(statement, { ms: quickMs, signal });
  signal?.throwIfAborted();
  return answer?.rows;
}

/** Reads a page in slices, keeping the rows of each that may be on the page. */
async function pageInSlices<T extends TableName>(
  parts: ListsParts,
  table: T,
  query: ListQuery,
  signal: AbortSignal | undefined,
): Promise<readonly Tables[T][]> {
  const { dialect } = parts;
  const sort = totalOrder(query.sort);
  const [{ field, descending: isDescending = false } = { field: 'sequence' }] = sort;
  const skip = query.skip ?? 0;
  const end = skip + query.limit;
  const statementOf = (slice: Slice): Statement => dialect.find(table, { ...query, skip: 0, limit: end }, slice);
  let page: readonly Tables[T][] = [];
  for await (const answer of inSlices(parts, { table, statementOf, isDescending, signal })) {
    const more = dialect.found(table, answer);
    if (more.length > 0) page = mergedPage({ sort, limit: end }, [page, more]);
    // Slices are read in the order of sequences.
    if (field === 'sequence' && page.length === end) break;
  }
  return page.slice(skip);
}

interface Sliced {
  readonly table: TableName;
  readonly statementOf: (slice: Slice) => Statement;
  readonly isDescending: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Reads a table in slices, in the order of their sequences. */
async function* inSlices(
  { dialect, slow, firstRows = firstSliceRows }: ListsParts,
  { table, statementOf, isDescending, signal }: Sliced,
): AsyncGenerator<Record<string, unknown>[]> {
  const ask = async (statement: Statement, ms: number) => {
    const answer = await slow.rows(statement, { ms, signal });
    signal?.throwIfAborted();
    return answer;
  };
  const [ends] = (await ask(dialect.ends(table), unlimitedMs))?.rows ?? [];
  const [low, high] = [Number(ends?.first ?? 1), Number(ends?.last ?? 0)];
  let size = firstRows;
  let fixedMs: number | undefined;
  for (let done = 0; low + done <= high;) {
    signal?.throwIfAborted();
    const slice = sliceAt({ low, high, done, size, isDescending });
    const answer = await ask(statementOf(slice), size === 1 ? unlimitedMs : maxSliceMs);
    if (answer === undefined) {
      size = Math.ceil(size / 2);
      continue;
    }
    yield answer.rows;
    done += slice.to - slice.from + 1;
    const { tookMs } = answer;
    const isSlow = tookMs > sliceMs && low + done <= high;
    if (isSlow) fixedMs ??= (await ask(statementOf(noRows), maxSliceMs))?.tookMs;
    if (fixedMs !== undefined) fixedMs = Math.min(fixedMs, tookMs);
    size = fittingSize(size, tookMs, fixedMs ?? 0);
  }
}

/**
 * The size of the next slice, whose rows should take the usual time. `fixedMs`, the time of a slice without rows, is no
 * reason to make it smaller: a round trip to a server takes as long for one row. A slice that another cause delays is
 * at most halved.
 */
function fittingSize(size: number, tookMs: number, fixedMs: number): number {
  const fitting = Math.round((size * sliceMs) / Math.max(1, tookMs - fixedMs));
  return Math.min(maxSliceRows, Math.max(Math.ceil(size / 2), Math.min(2 * size, fitting)));
}

function sliceAt(place: {
  readonly low: number;
  readonly high: number;
  readonly done: number;
  readonly size: number;
  readonly isDescending: boolean;
}): Slice {
  const { low, high, done, size, isDescending } = place;
  if (isDescending) return { from: Math.max(low, high - done - size + 1), to: high - done };
  return { from: low + done, to: Math.min(high, low + done + size - 1) };
}
