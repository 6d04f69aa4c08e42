import { CopyButton } from './copy.js';
import styles from './id.module.css';

interface Props {
  readonly id: string;
  readonly what?: string;
  /** All of it instead of its beginning. */
  readonly isWhole?: boolean;
}

const shownCharacters = 8;

/** An id or hash: its beginning, the whole as its title, and a button that copies it. */
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
