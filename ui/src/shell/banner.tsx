import { useConnection, useExplorer } from '../api/explorer.js';
import { useLasting } from '../components/lasting.js';
import { useNow } from '../components/text/now.js';
import { agoText } from '../components/text/time-text.js';
import styles from './shell.module.css';

const patienceMs = 1_500;

/** A line across the page while the node is away, and after a gap in its events. */
export function Banner() {
  const { connection, contactMs, gapAfter } = useConnection();
  const { config } = useExplorer();
  const now = useNow();
  const isAway = useLasting(connection === 'lost', patienceMs);
  if (isAway)
    return (
      <div className={styles.banner} data-kind="away">
        {/* Only what does not change is announced: the time does each second. */}
        <strong role="alert">No connection to the node of {config.party}.</strong> What is shown is from{' '}
        {contactMs === undefined ? 'before' : agoText(contactMs, now)}; it is tried again. To see why:{' '}
        <code>stack status</code>, <code>stack logs {config.party}</code>
      </div>
    );
  if (gapAfter === undefined) return null;
  return (
    <div className={styles.banner} role="status">
      Many events came while there was no connection. Those behind sequence {gapAfter} were not followed one by one; the
      lists have been read again.
    </div>
  );
}
