import { CopyButton } from './copy.js';
import styles from './id.module.css';

interface Props {
  readonly id: string;
  readonly what?: string;
  /** Whether it is shown in full. */
  readonly isWhole?: boolean;
}

const shownCharacters = 8;

/** An id or hash, shortened to its beginning, with the full text as tooltip and a copy button. */
export function Id({ id, what = 'id', isWhole = false }: Props) {
  const start = id.startsWith('0x') ? shownCharacters + 2 : shownCharacters;
  return (
    <span className={styles.id}>
      <code title={id}>{isWhole ? id : id.slice(0, start)}</code>
      <span className={styles.button}>
        <CopyButton text={id} what={what} />
      </span>
    </span>
  );
}
