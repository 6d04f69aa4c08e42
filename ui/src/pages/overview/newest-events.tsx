import { readPage } from '../../../../src/client/page.js';
import { useRead } from '../../api/read.js';
import { Empty } from '../../components/page/empty.js';
import { EventTable } from '../../components/table/event-table.js';
import { Failure } from '../../components/page/failure.js';
import { Link } from '../../components/link.js';
import { Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { pagePlace } from '../../url/place.js';
import { usePlace } from '../../api/explorer.js';

export function NewestEvents() {
  const place = usePlace();
  // Every event touches the status.
  const events = useRead('status', ['events'], (client, signal) =>
    readPage(client, 'listEvents', [['limit', '8']], signal),
  );
  const rows = events.data?.entries.map(({ value }) => value) ?? [];
  return (
    <Section title="Newest events" actions={<Link to={pagePlace(place, 'events')}>All events</Link>}>
      {events.error !== null && <Failure error={events.error} onRetry={() => void events.refetch()} />}
      {events.isPending && <Skeleton rows={8} />}
      {events.data !== undefined && rows.length === 0 && (
        <Empty sentence="No events in this namespace yet." command="stack events tail" />
      )}
      {rows.length > 0 && <EventTable events={rows} />}
    </Section>
  );
}
