import type { Event } from '../../../src/wire/event-record.js';
import { Link } from './link.js';
import styles from './event-table.module.css';
import { Text } from './text.js';
import { Time } from './time.js';

/** A few events in a record or a section, each leading to what it refers to. */
export function EventTable({ events }: { readonly events: readonly Event[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Sequence</th>
          <th scope="col">Event</th>
          <th scope="col">Topic</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ id, sequence, type, topic, created, reference }) => (
          <tr key={id}>
            <td>{sequence}</td>
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
  );
}

function leadOf(type: string, reference: string, id: string) {
  return type.startsWith('message_')
    ? { page: 'messages', id: undefined, filters: [], open: reference }
    : { page: 'events', id: undefined, filters: [], open: id };
}
