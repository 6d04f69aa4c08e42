import styles from './action-result.module.css';
import { Follow } from './follow.js';

interface Props {
  readonly transaction: string;
  /** The label of the button that leads back to the form. */
  readonly again: string;
  readonly onAgain: () => void;
}

/** The progress of an action's transaction, in place of its form. */
export function ActionResult({ transaction, again, onAgain }: Props) {
  return (
    <div className={styles.result}>
      <Follow kind="transaction" id={transaction} />
      <button type="button" className={`button ${styles.again}`} onClick={onAgain} autoFocus>
        {again}
      </button>
    </div>
  );
}
