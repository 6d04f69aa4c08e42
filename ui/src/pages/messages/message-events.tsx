import { useRead } from '../../api/read.js';
import { Failure } from '../../components/failure.js';
import { Section } from '../../components/section.js';
import { Time } from '../../components/time.js';
import { recordSubject } from '../../live/invalidator.js';
import styles from './messages.module.css';

/** The events of this node that refer to a message. */
export function MessageEvents({ id }: { readonly id: string }) {
  const events = useRead(recordSubject(id), ['events'], (client, signal) =>
    client.listMessageEvents({ path: { msgid: id }, signal }),
  );
  const rows = events.data?.value ?? [];
  return (
    <Section title="Events">
      {events.error !== null && <Failure error={events.error} onRetry={() => void events.refetch()} />}
      {events.data !== undefined && rows.length === 0 && <p className="muted">None yet: it is not decided.</p>}
      {rows.length > 0 && (
        <table className={styles.small}>
          <thead>
            <tr>
              <th scope="col">Sequence</th>
              <th scope="col">Type</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id: key, sequence, type, created }) => (
              <tr key={key}>
                <td>{sequence}</td>
                <td>{type}</td>
                <td>
                  <Time iso={created} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
