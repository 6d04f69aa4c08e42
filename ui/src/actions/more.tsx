import { type ReactNode, useId, useState } from 'react';
import styles from './more.module.css';

/** Fields that few need, closed until they are asked for. */
export function More({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
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
        {isOpen ? 'Fewer fields' : 'More fields'}
      </button>
      <div id={id} className={styles.fields} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </div>
  );
}
