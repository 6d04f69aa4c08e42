import { useConnection } from '../api/explorer.js';
import { useNow } from '../components/text/now.js';
import { agoText } from '../components/text/time-text.js';
import styles from './shell.module.css';

const words = { connecting: 'connecting', live: 'live', lost: 'reconnecting' } as const;

/** The state of the connection for live events. */
export function Connection() {
  const { connection, contactMs } = useConnection();
  const now = useNow();
  const last = connection === 'lost' && contactMs !== undefined ? `last contact ${agoText(contactMs, now)}` : undefined;
  return (
    <span className={styles.connection} data-state={connection} title={last} role="status">
      <span className={styles.dot} aria-hidden="true" />
      {words[connection]}
    </span>
  );
}
