import type { Event } from '../../../../src/wire/events/event-record.js';
import { Link } from '../link.js';
import { SmallTable } from './small-table.js';
import { Text } from '../text/text.js';
import { Time } from '../text/time.js';

const columns = [
  { title: 'Sequence', from: 420, render: ({ sequence }: Event) => sequence },
  {
    title: 'Event',
    isWhole: true,
    render: ({ id, type, reference }: Event) => <Link to={leadOf(type, reference, id)}>{type}</Link>,
  },
  {
    title: 'Topic',
    from: 460,
    isCut: true,
    render: ({ topic = '' }: Event) => (
      <span title={topic}>
        <Text value={topic} />
      </span>
    ),
  },
  { title: 'Age', isNumber: true, render: ({ created }: Event) => <Time iso={created} /> },
];

/** A short list of events, each with a link to its message or its record. */
export function EventTable({ events }: { readonly events: readonly Event[] }) {
  return <SmallTable label="Events" columns={columns} rows={events} keyOf={({ id }) => id} />;
}

function leadOf(type: string, reference: string, id: string) {
  return type.startsWith('message_')
    ? { page: 'messages', id: undefined, filters: [], open: reference }
    : { page: 'events', id: undefined, filters: [], open: id };
}
