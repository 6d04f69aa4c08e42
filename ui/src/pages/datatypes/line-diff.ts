/** A row of two texts side by side; undefined where a text has no line. */
export interface DiffRow {
  readonly left: string | undefined;
  readonly right: string | undefined;
  readonly isSame: boolean;
}

/** The maximum number of lines to compare, without the equal beginning and end. Above it, all count as changed. */
const maxCompared = 1_000;

/** Aligns the lines of two texts by their longest common subsequence. */
export function diffLines(left: string, right: string): readonly DiffRow[] {
  const [a, b] = [left.split('\n'), right.split('\n')];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const same = (lines: readonly string[]) => lines.map((line) => ({ left: line, right: line, isSame: true }));
  const middle = diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))];
}

function diffMiddle(a: readonly string[], b: readonly string[]): readonly DiffRow[] {
  if (a.length > maxCompared || b.length > maxCompared) return pair(a, b);
  const common = commonLengths(a, b);
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  const rows: DiffRow[] = [];
  let [i, j] = [0, 0];
  let [removed, added]: [string[], string[]] = [[], []];
  const flush = () => {
    rows.push(...pair(removed, added));
    [removed, added] = [[], []];
  };
  while (i < a.length || j < b.length) {
    const [x, y] = [a[i], b[j]];
    if (x !== undefined && x === y) {
      flush();
      rows.push({ left: x, right: y, isSame: true });
      i++;
      j++;
    } else if (y === undefined || (x !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      removed.push(x ?? '');
      i++;
    } else {
      added.push(y);
      j++;
    }
  }
  flush();
  return rows;
}

/** Places removed lines beside added lines. */
function pair(removed: readonly string[], added: readonly string[]): readonly DiffRow[] {
  const length = Math.max(removed.length, added.length);
  return Array.from({ length }, (_, n) => ({
    left: removed[n],
    right: added[n],
    isSame: removed[n] === added[n],
  }));
}

/** The length of the longest common subsequence from each pair of lines on. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    const [row, below] = [table[i], table[i + 1]];
    if (row === undefined || below === undefined) continue;
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}
