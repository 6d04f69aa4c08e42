/** Compares rows by a time of theirs, the newest first, and rows of one time by their keys. */
export function newestFirst<Row>(timeOf: (row: Row) => string, keyOf: (row: Row) => string) {
  return (left: Row, right: Row): number => {
    const [a, b] = [timeOf(left), timeOf(right)];
    if (a !== b) return a < b ? 1 : -1;
    return keyOf(left) < keyOf(right) ? 1 : keyOf(left) > keyOf(right) ? -1 : 0;
  };
}
