import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useExplorer, usePlace } from '../../api/explorer.js';
import { useKeys } from '../../shell/keys.js';
import { useDensity } from '../../shell/theme.js';
import type { Place } from '../../url/place.js';
import { chosenColumns, type Column, shownColumns } from './columns.js';
import { CopyButton } from '../record/copy.js';
import { Link } from '../link.js';
import { useFlash } from '../flash.js';
import { NewRows } from './new-rows.js';
import { storedColumns } from './stored-columns.js';
import { TableHead } from './table-head.js';
import styles from './table.module.css';
import { useWidth } from '../width.js';

export interface TableProps<Row> {
  /** The noun for the rows, such as `messages`. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Identifies the query of the rows. When it changes, the list scrolls to the top. */
  readonly question: string | undefined;
  readonly keyOf: (row: Row) => string;
  /** The place that a row links to. */
  readonly placeOf: (row: Row) => Partial<Place>;
  /** The row is highlighted when this value changes. */
  readonly flashOf?: (row: Row) => string;
  /** Called when the list is scrolled close to its last row. */
  readonly onEnd?: () => void;
  /** Shown after the last row. */
  readonly end?: ReactNode;
  /** Whether there are newer rows that are not loaded; `onCatchUp` loads them. */
  readonly isBehind?: boolean;
  readonly onCatchUp?: () => void;
  /** The number of rows before the first one that were dropped. */
  readonly skipped?: number;
  /** Called when the list is scrolled away from its top, and when it is back there. */
  readonly onScrolled?: (isScrolled: boolean) => void;
  /** The key of the record whose panel was closed, until its row gets the focus. */
  readonly closed: RefObject<string | undefined>;
}

const overscan = 12;
/** The assumed width of a column without one, for the minimum width of a table with chosen columns. */
const freePx = 160;

/**
 * A virtual list. At its top, new rows appear at once; when scrolled, it keeps its position and only counts them.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, onEnd, end, isBehind = false, onCatchUp, skipped = 0 } = props;
  const { page, columns: wanted } = usePlace();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const rowPx = useDensity() === 'comfortable' ? 36 : 28;
  const { shown, hiddenCount, scrolled, toTop } = useAnchor(props, box, rowPx);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan,
  });
  useEffect(() => virtual.measure(), [virtual, rowPx]);
  useStableScroll(box, skipped * rowPx);
  const items = virtual.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (shown.length > 0 && lastIndex >= shown.length - overscan) onEnd?.();
  }, [lastIndex, shown.length, onEnd]);
  useRowKeys(props, shown, box, (index) => virtual.scrollToIndex(index));
  const list = `${page} ${label}`;
  const { names, visible } = useVisible(columns, wanted ?? storedColumns(list), width);
  const latest = useRef(props);
  latest.current = props;
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const minWidth = names === undefined ? 0 : visible.reduce((sum, column) => sum + (column.width ?? freePx), 0);
  return (
    <div className={styles.frame}>
      <div ref={box} className={styles.box} role="region" aria-label={label} tabIndex={0} onScroll={scrolled}>
        <table className={styles.table} style={{ minWidth }} aria-rowcount={shown.length + 1}>
          <TableHead list={list} columns={columns} shown={visible} isChosen={names !== undefined} />
          <tbody>
            <Spacer height={before} span={visible.length + 1} />
            {items.map(({ index }) => {
              const row = shown[index];
              return row === undefined ? null : (
                <TableRow key={keyOf(row)} of={latest} row={row} index={index} columns={visible} />
              );
            })}
            <Spacer height={after} span={visible.length + 1} />
          </tbody>
        </table>
        {end}
      </div>
      <NewRows
        label={label}
        rows={rows}
        keyOf={keyOf}
        count={hiddenCount}
        isMore={isBehind}
        isAway={skipped > 0}
        onShow={() => {
          onCatchUp?.();
          toTop();
        }}
      />
    </div>
  );
}

/** A placeholder with the height of rows that are not rendered. */
function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className={styles.spacer}>
      <td colSpan={span} style={{ height }} />
    </tr>
  );
}

/** The visible columns, memoised so that rows do not render again. */
function useVisible<Row>(columns: readonly Column<Row>[], wanted: readonly string[] | undefined, width: number) {
  const names = wanted?.join();
  return useMemo(() => {
    const chosen = chosenColumns(columns, names?.split(',')).names;
    return { names: chosen, visible: shownColumns(columns, chosen, width) };
  }, [columns, names, width]);
}

interface RowProps<Row> {
  readonly of: RefObject<TableProps<Row>>;
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
}

/** A row of the table. Its cells are memoised, since its index changes with every new row. */
function TableRow<Row>({ of, row, index, columns }: RowProps<Row>) {
  const { places } = useExplorer();
  const { open } = usePlace();
  const element = useRef<HTMLTableRowElement>(null);
  useFlash(element, of.current.flashOf?.(row));
  const cells = useMemo(() => <Cells of={of} row={row} columns={columns} />, [of, row, columns]);
  return (
    <tr
      ref={element}
      className={styles.row}
      aria-rowindex={index + 2}
      data-row={index}
      data-open={open === of.current.keyOf(row)}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('a, button') !== null) return;
        if (getSelection()?.isCollapsed === false) return;
        places.go(of.current.placeOf(row));
      }}
    >
      {cells}
    </tr>
  );
}

function Cells<Row>({ of, row, columns }: Omit<RowProps<Row>, 'index'>) {
  return (
    <>
      {columns.map(({ name, isNumber = false, render, copy }, at) => (
        <td key={name} data-number={isNumber} onPointerEnter={showCutText}>
          {at === 0 ? (
            <Link to={of.current.placeOf(row)} className={styles.link}>
              {render(row)}
            </Link>
          ) : (
            render(row)
          )}
          {copy !== undefined && (
            <span className={styles.copy}>
              <CopyButton text={copy(row)} what={`the ${name}`} />
            </span>
          )}
        </td>
      ))}
      <td />
    </>
  );
}

/** Shows the whole text of a cell that cuts it. */
function showCutText({ currentTarget: cell }: PointerEvent<HTMLTableCellElement>): void {
  const isCut = [cell, ...cell.querySelectorAll('bdi:only-child')].some((each) => each.scrollWidth > each.clientWidth);
  cell.title = isCut ? cell.innerText : '';
}

/** Keeps the scroll position when rows above are dropped. */
function useStableScroll(box: React.RefObject<HTMLDivElement | null>, droppedPx: number): void {
  const before = useRef(droppedPx);
  useLayoutEffect(() => {
    if (droppedPx > before.current) box.current?.scrollBy({ top: before.current - droppedPx });
    before.current = droppedPx;
  }, [box, droppedPx]);
}

/** Keeps a scrolled list at the row that was the first when scrolling began, and hides newer rows. */
function useAnchor<Row>(
  { rows, question, keyOf, onScrolled }: TableProps<Row>,
  box: React.RefObject<HTMLDivElement | null>,
  rowPx: number,
) {
  const [anchor, setAnchor] = useState<string | undefined>(undefined);
  const found = anchor === undefined ? 0 : rows.findIndex((row) => keyOf(row) === anchor);
  const hiddenCount = Math.max(0, found);
  const leave = (key: string | undefined) => {
    setAnchor(key);
    onScrolled?.(key !== undefined);
  };
  const scrolled = () => {
    const isScrolled = (box.current?.scrollTop ?? 0) > rowPx / 2;
    const [first] = rows;
    if (!isScrolled) leave(undefined);
    else if (anchor === undefined && first !== undefined) leave(keyOf(first));
  };
  const toTop = () => {
    leave(undefined);
    box.current?.scrollTo({ top: 0 });
  };
  const shownQuestion = useRef(question);
  useLayoutEffect(() => {
    if (shownQuestion.current === question) return;
    shownQuestion.current = question;
    toTop();
    // All other dependencies belong to the same question.
  }, [question]);
  return { shown: hiddenCount > 0 ? rows.slice(hiddenCount) : rows, hiddenCount, scrolled, toTop };
}

/** Keys: `j` and `k` move the focus, `[` and `]` open the previous and next record. Closing a panel focuses its row. */
function useRowKeys<Row>(
  { keyOf, placeOf, closed }: TableProps<Row>,
  shown: readonly Row[],
  box: React.RefObject<HTMLDivElement | null>,
  scrollTo: (index: number) => void,
): void {
  const { places } = useExplorer();
  const { open } = usePlace();
  const focusRow = (index: number) => {
    if (index < 0 || index >= shown.length) return;
    scrollTo(index);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${index}"] a`)?.focus());
  };
  const step = (by: number) => () => {
    const focused = box.current?.querySelector<HTMLElement>('[data-row]:focus-within')?.dataset['row'];
    focusRow(focused === undefined ? 0 : Number(focused) + by);
  };
  const turn = (by: number) => () => {
    const at = shown.findIndex((row) => keyOf(row) === open);
    const next = shown[at + by];
    if (at < 0 || next === undefined) return;
    if (box.current?.contains(document.activeElement) === true) focusRow(at + by);
    else scrollTo(at + by);
    places.go(placeOf(next));
  };
  useEffect(() => {
    const key = closed.current;
    closed.current = undefined;
    // Only a focus that was lost with the panel is restored.
    if (key === undefined || document.activeElement !== document.body) return;
    focusRow(shown.findIndex((row) => keyOf(row) === key));
    // Runs only when a panel opens or closes, and when the table is mounted.
  }, [open]);
  useKeys({ j: step(1), k: step(-1), ']': turn(1), '[': turn(-1) });
}
