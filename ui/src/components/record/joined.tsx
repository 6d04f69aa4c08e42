import type { ReactNode } from 'react';
import styles from './joined.module.css';

/** A frame around data of other parties, which only a local stack can show. */
export function Joined({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.joined}>
      <p className={styles.label}>local development view</p>
      {children}
    </div>
  );
}
