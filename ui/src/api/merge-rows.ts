/**
 * Merges the reread first page into the loaded rows, in the order of the node. Rows behind the page are kept; rows that
 * should be in it and are not are removed. Undefined if the page does not overlap the loaded rows, since rows may be
 * missing between them.
 */
export function mergeHead<Row>(
  loaded: readonly Row[],
  head: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] | undefined {
  const indexes = new Map(loaded.map((row, index) => [keyOf(row), index]));
  const inHead = new Set(head.map(keyOf));
  const anchor = head.findLast((row) => indexes.has(keyOf(row)));
  if (anchor === undefined) return undefined;
  const anchorIndex = indexes.get(keyOf(anchor)) ?? 0;
  const isAbsent = (row: Row) => !inHead.has(keyOf(row));
  // A row that moved up from far behind is no anchor: merging there would drop all rows before it.
  if (loaded.slice(0, anchorIndex).filter(isAbsent).length > head.length) return undefined;
  return [...head, ...loaded.slice(anchorIndex + 1).filter(isAbsent)];
}

/** Appends the next page to the loaded rows. A row that is in both keeps only its new place. */
export function mergeTail<Row>(
  loaded: readonly Row[],
  next: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const inNext = new Set(next.map(keyOf));
  return [...loaded.filter((row) => !inNext.has(keyOf(row))), ...next];
}
