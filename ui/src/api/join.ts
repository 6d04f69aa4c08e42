/** How rows are known and ordered. */
export interface Order<Row> {
  readonly keyOf: (row: Row) => string;
  readonly compare: (left: Row, right: Row) => number;
}

/**
 * The rows that are held when the first page has been read again. What stands behind the page is kept; what should
 * stand in it and does not is gone. Where the page does not meet what was held, there may be others between, and it
 * begins anew.
 */
export function joinHead<Row>(held: readonly Row[], head: readonly Row[], order: Order<Row>): readonly Row[] {
  const last = head.at(-1);
  if (last === undefined) return head;
  const inHead = new Set(head.map(order.keyOf));
  const meets = held.some((row) => inHead.has(order.keyOf(row)));
  if (!meets) return head;
  const behind = held.filter((row) => !inHead.has(order.keyOf(row)) && order.compare(last, row) < 0);
  return [...head, ...behind];
}

/** The rows that are held when the next page has been read: those that came twice count once, as they are now. */
export function joinTail<Row>(held: readonly Row[], next: readonly Row[], order: Order<Row>): readonly Row[] {
  const rows = new Map(held.map((row) => [order.keyOf(row), row]));
  for (const row of next) rows.set(order.keyOf(row), row);
  return [...rows.values()].sort(order.compare);
}
