import { readPage } from '../../../../src/client/page.js';
import { useRead } from '../../api/read.js';
import { Empty } from '../../components/empty.js';
import { Failure } from '../../components/failure.js';
import { Link } from '../../components/link.js';
import { Section } from '../../components/section.js';
import { Skeleton } from '../../components/skeleton.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { pagePlace } from '../../url/place.js';
import { usePlace } from '../../api/explorer.js';
import styles from './overview.module.css';

/** The last events of the node. */
export function NewestEvents() {
  const place = usePlace();
  // Every event touches the status.
  const events = useRead('status', ['events'], (client, signal) =>
    readPage(client, 'listEvents', [['limit', '8']], signal),
  );
  const rows = events.data?.entries.map(({ value }) => value) ?? [];
  return (
    <Section title="Newest events" actions={<Link to={pagePlace(place, 'events')}>All events</Link>}>
      {events.error !== null && (
        <Failure error={events.error} request="GET events" onRetry={() => void events.refetch()} />
      )}
      {events.isPending && <Skeleton rows={8} />}
      {events.data !== undefined && rows.length === 0 && (
        <Empty sentence="No event has happened in this namespace yet." command="stack events tail" />
      )}
      {rows.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">Topic</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, type, topic, created, reference }) => (
              <tr key={id}>
                <td>
                  <Link to={leadOf(type, reference, id)}>{type}</Link>
                </td>
                <td>
                  <Text value={topic ?? ''} />
                </td>
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

function leadOf(type: string, reference: string, id: string) {
  return type.startsWith('message_')
    ? { page: 'messages', id: undefined, filters: [], open: reference }
    : { page: 'events', id: undefined, filters: [], open: id };
}
