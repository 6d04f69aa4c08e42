import { useRead } from '../../api/read.js';
import { EventTable } from '../../components/table/event-table.js';
import { Failure } from '../../components/page/failure.js';
import { Section } from '../../components/page/section.js';
import { recordSubject } from '../../live/invalidator.js';

export function MessageEvents({ id }: { readonly id: string }) {
  const events = useRead(recordSubject(id), ['events'], (client, signal) =>
    client.listMessageEvents({ path: { msgid: id }, signal }),
  );
  const rows = events.data?.value ?? [];
  return (
    <Section title="Events">
      {events.error !== null && <Failure error={events.error} onRetry={() => void events.refetch()} />}
      {events.data !== undefined && rows.length === 0 && <p className="muted">No events yet.</p>}
      {rows.length > 0 && <EventTable events={rows} />}
    </Section>
  );
}
