import type { ReactNode } from 'react';
import styles from './joined.module.css';

/** A part that the other parties of the stack have told: no node of a real network sees it. */
export function Joined({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.joined}>
      <p className={styles.label}>local development view</p>
      {children}
    </div>
  );
}
