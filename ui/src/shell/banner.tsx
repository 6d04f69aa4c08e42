import { useConnection, useExplorer } from '../api/explorer.js';
import { useLasting } from '../components/lasting.js';
import { useNow } from '../components/text/now.js';
import { agoText } from '../components/text/time-text.js';
import styles from './shell.module.css';

const delayMs = 1_500;

/** A banner while the node is unreachable or refuses the credentials of the page, and after a gap in its events. */
export function Banner() {
  const { connection, contactMs, gapAfter, isRefused } = useConnection();
  const { config } = useExplorer();
  const now = useNow();
  const isAway = useLasting(connection === 'lost', delayMs);
  if (isAway && isRefused)
    return (
      <div className={styles.banner} data-kind="away">
        <strong role="alert">The node of {config.party} no longer accepts the credentials of this page.</strong> Reload
        the page: the browser then asks for others.
      </div>
    );
  if (isAway)
    return (
      <div className={styles.banner} data-kind="away">
        {/* The alert excludes the time, which changes every second and would be announced again. */}
        <strong role="alert">No connection to the node of {config.party}.</strong>
        {contactMs !== undefined && ` Last contact ${agoText(contactMs, now)}.`} Reconnecting. To see why:{' '}
        <code>stack status</code>, <code>stack logs {config.party}</code>
      </div>
    );
  if (gapAfter === undefined) return null;
  return (
    <div className={styles.banner} role="status">
      Many events came while there was no connection. Events after sequence {gapAfter} were skipped; all lists were
      reloaded.
    </div>
  );
}
