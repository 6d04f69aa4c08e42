import styles from './action-result.module.css';
import { Follow } from './follow.js';

interface Props {
  readonly transaction: string;
  /** The word on the button that leads back to the form. */
  readonly again: string;
  readonly onAgain: () => void;
}

/** The result of an action of the chain, followed to its end, in the place of the form that was sent. */
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
