import { useEffect, useRef, useState } from 'react';
import styles from './new-rows.module.css';

interface Props<Row> {
  /** The noun for the rows, such as `messages`. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The number of new rows above a scrolled list. */
  readonly count: number;
  /** Whether there are more than `count`. */
  readonly isMore: boolean;
  /** Whether the first rows were dropped from the list. */
  readonly isAway: boolean;
  readonly onShow: () => void;
}

const announceMs = 5_000;

/** A button with the number of new rows above a scrolled list, which shows them. */
export function NewRows<Row>({ label, rows, keyOf, count, isMore, isAway, onShow }: Props<Row>) {
  const announced = useArrivals(rows, keyOf);
  const number = count === 0 ? 'Many' : `${count}${isMore ? '+' : ''}`;
  return (
    <>
      {(count > 0 || isMore || isAway) && (
        <button type="button" className={`button primary ${styles.news}`} onClick={onShow}>
          {isAway ? 'Back to top' : `${number} new`}
        </button>
      )}
      <span className="visually-hidden" role="status">
        {announced === 0 ? '' : `${announced} new ${label}`}
      </span>
    </>
  );
}

/** The number of rows that arrived lately, for screen readers. It changes at most once per `announceMs`. */
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
      // Announce nothing if the list is unchanged or was replaced.
      if (came > 0) setSaid(came);
    }, announceMs);
    // `keyOf` does not depend on the render.
  }, [rows]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return said;
}
