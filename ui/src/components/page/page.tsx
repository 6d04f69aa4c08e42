import type { ReactNode } from 'react';
import { OtherFailures } from './other-failures.js';
import styles from './page.module.css';

interface Props {
  readonly title: string;
  /** Buttons beside the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, actions, children }: Props) {
  return (
    <>
      <header className={styles.header}>
        <h1>{title}</h1>
        <div className={styles.actions}>{actions}</div>
      </header>
      <OtherFailures />
      {children}
    </>
  );
}

/** The scrolling content of a page that is not a list. */
export function Scroll({ children }: { readonly children: ReactNode }) {
  return <div className={styles.scroll}>{children}</div>;
}
