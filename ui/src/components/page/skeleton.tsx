import { useEffect, useState } from 'react';
import styles from './skeleton.module.css';

const hiddenMs = 150;
const slowMs = 5_000;

/** A placeholder for content that is loading. Invisible at first, since most content loads quickly. */
export function Skeleton({ rows }: { readonly rows: number }) {
  const isShown = useAfter(hiddenMs);
  const isSlow = useAfter(slowMs);
  return (
    <div className={styles.skeleton} aria-busy="true">
      {isSlow && (
        <p className="muted" role="status">
          The node has not answered yet. To see why: <code>stack status</code>
        </p>
      )}
      {isShown && !isSlow && <span className="visually-hidden">Loading</span>}
      {isShown && Array.from({ length: rows }, (_, row) => <div key={row} className={styles.row} />)}
    </div>
  );
}

/** Whether the component has been mounted for `ms`. */
function useAfter(ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
}
