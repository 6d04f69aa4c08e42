import { useEffect, useRef, useState } from 'react';
import styles from './new-rows.module.css';

interface Props<Row> {
  /** The noun for the rows, such as `messages`. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** How many rows stand above those that a scrolled list shows. */
  readonly count: number;
  /** There are more than are counted. */
  readonly isMore: boolean;
  /** The first rows are not in the list any more. */
  readonly isAway: boolean;
  readonly onShow: () => void;
}

const announceMs = 5_000;

/** The number of rows that have come above a scrolled list, which stays where it is until it is asked to show them. */
export function NewRows<Row>({ label, rows, keyOf, count, isMore, isAway, onShow }: Props<Row>) {
  const announced = useArrivals(rows, keyOf);
  const number = count === 0 ? 'Many' : `${count}${isMore ? '+' : ''}`;
  return (
    <>
      {(count > 0 || isMore || isAway) && (
        <button type="button" className={`button primary ${styles.news}`} onClick={onShow}>
          {isAway ? 'To the first rows' : `${number} new`}
        </button>
      )}
      <span className="visually-hidden" role="status">
        {announced === 0 ? '' : `${announced} new ${label}`}
      </span>
    </>
  );
}

/** How many rows came on top lately, told to those who hear the page at most once in a while. */
function useArrivals<Row>(rows: readonly Row[], keyOf: (row: Row) => string): number {
  const [said, setSaid] = useState(0);
  const latest = useRef(rows);
  const first = useRef<string | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    latest.current = rows;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const [top] = latest.current;
      const came = latest.current.findIndex((row) => keyOf(row) === first.current);
      first.current = top === undefined ? undefined : keyOf(top);
      // Another list altogether, or one that has not changed, is not worth a word.
      if (came > 0) setSaid(came);
    }, announceMs);
    // The key of a row does not depend on the render.
  }, [rows]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return said;
}
