import { useState } from 'react';
import { useRead } from '../../api/read.js';
import { EventTable } from '../../components/table/event-table.js';
import { Failure } from '../../components/page/failure.js';
import { Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';

const maxRange = 1_000;
const maxRows = 100;
const shownRows = 20;

/** The past events that match a subscription, selected by the node. */
export function PastEvents({ id }: { readonly id: string }) {
  const [isWanted, setWanted] = useState(false);
  const past = useRead(
    'subscriptions',
    ['past', id],
    (client, signal) => client.listSubscriptionEvents({ path: { subid: id }, query: { limit: maxRows }, signal }),
    { isEnabled: isWanted },
  );
  const rows = past.data?.value ?? [];
  return (
    <Section
      title="Matching past events"
      actions={
        <button type="button" className="button" aria-expanded={isWanted} onClick={() => setWanted(!isWanted)}>
          {isWanted ? 'Hide' : 'Test filter on past events'}
        </button>
      }
    >
      {isWanted && past.isPending && <Skeleton rows={4} />}
      {isWanted && past.error !== null && (
        <Failure error={past.error} what="subscription" onRetry={() => void past.refetch()} />
      )}
      {isWanted && past.data !== undefined && rows.length === 0 && (
        <p className="muted">None of the newest {maxRange.toLocaleString('en')} events match.</p>
      )}
      {isWanted && rows.length > 0 && (
        <>
          <p className="muted">{countText(rows.length)}</p>
          <EventTable events={rows.slice(0, shownRows)} />
        </>
      )}
    </Section>
  );
}

function countText(count: number): string {
  const some = count === maxRows ? `${maxRows} or more` : String(count);
  const rest = count > shownRows ? ` The newest ${shownRows} are:` : '';
  return `${some} of the newest ${maxRange.toLocaleString('en')} events match.${rest}`;
}
