import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import styles from './small-table.module.css';
import { useWidth } from '../width.js';

interface SmallColumn<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Whether its text never wraps. On a narrow screen the table scrolls. */
  readonly isWhole?: boolean;
  /** Whether it takes the remaining width and truncates its text. */
  readonly isCut?: boolean;
  /** The minimum width of the table, in pixels, at which it is shown. */
  readonly from?: number;
  readonly render: (row: Row, index: number) => ReactNode;
}

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly SmallColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
}

/** A table of a few rows within a record. */
export function SmallTable<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const isWide = useIsWide(box, width, rows);
  const shown = columns.filter(({ from = 0 }) => width >= from);
  return (
    <div ref={box} className={styles.box} {...(isWide && { role: 'group', tabIndex: 0, 'aria-label': label })}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {shown.map(({ title, isNumber = false }) => (
              <th key={title} scope="col" data-number={isNumber}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row)}>
              {shown.map(({ title, isNumber = false, isWhole = false, isCut = false, render }) => (
                <td key={title} data-number={isNumber} data-whole={isWhole || isNumber} data-cut={isCut}>
                  {render(row, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether the content overflows, so that the box must be scrollable by keyboard. */
function useIsWide(box: RefObject<HTMLElement | null>, width: number, content: unknown): boolean {
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => setWide((box.current?.scrollWidth ?? 0) > width), [box, width, content]);
  return isWide;
}
