/**
 * The rows that are held when the first page has been read again, in the order of the node. What stands behind the page
 * is kept; what should stand in it and does not is gone. Undefined where the page does not meet what was held: there
 * may be others between.
 */
export function joinHead<Row>(
  held: readonly Row[],
  head: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] | undefined {
  const places = new Map(held.map((row, place) => [keyOf(row), place]));
  const inHead = new Set(head.map(keyOf));
  const anchor = head.findLast((row) => places.has(keyOf(row)));
  if (anchor === undefined) return undefined;
  const place = places.get(keyOf(anchor)) ?? 0;
  const isGone = (row: Row) => !inHead.has(keyOf(row));
  // A row that came up from far behind is no place to join at: those before it would be lost.
  if (held.slice(0, place).filter(isGone).length > head.length) return undefined;
  return [...head, ...held.slice(place + 1).filter(isGone)];
}

/** The rows that are held when the next page has been read: those that came twice count once, where they are now. */
export function joinTail<Row>(held: readonly Row[], next: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  const inNext = new Set(next.map(keyOf));
  return [...held.filter((row) => !inNext.has(keyOf(row))), ...next];
}
