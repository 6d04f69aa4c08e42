import { useEffect, useState } from 'react';
import styles from './skeleton.module.css';

const patienceMs = 150;

/** The place of rows that are on their way; nothing at first, since most come before anybody has looked. */
export function Skeleton({ rows }: { readonly rows: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.skeleton} aria-busy="true">
      {isShown && <span className="visually-hidden">Loading</span>}
      {isShown && Array.from({ length: rows }, (_, row) => <div key={row} className={styles.row} />)}
    </div>
  );
}
