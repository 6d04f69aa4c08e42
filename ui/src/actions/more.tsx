import { type ReactNode, useId, useState } from 'react';
import styles from './more.module.css';

interface Props {
  /** The labels of the button that opens and closes it. */
  readonly open?: string;
  readonly close?: string;
  /** Whether it is open at first. */
  readonly isOpenAtFirst?: boolean;
  readonly children: ReactNode;
}

/** A collapsible section of rarely needed fields. */
export function More({ open = 'More fields', close = 'Fewer fields', isOpenAtFirst = false, children }: Props) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  return (
    <div className={styles.more}>
      <button
        type="button"
        className={styles.button}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? close : open}
      </button>
      <div id={id} className={styles.fields} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </div>
  );
}
