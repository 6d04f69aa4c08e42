import { useEffect, useMemo, useState } from 'react';
import { fieldsOf } from '../../../../src/wire/lists/fields.js';
import type { Subscription } from '../../../../src/wire/events/subscription.js';
import { useExplorer, usePlace } from '../../api/explorer.js';
import { judgeFilter, parametersOf } from '../../api/filter.js';
import { useRows } from '../../api/rows.js';
import { sortingOf } from '../../components/table/columns.js';
import { Empty } from '../../components/page/empty.js';
import { Filters } from '../../components/table/filters.js';
import { Icon } from '../../components/icon.js';
import { List } from '../../components/page/list.js';
import { Page, Scroll } from '../../components/page/page.js';
import { Split } from '../../components/page/split.js';
import { useRangeNow } from '../../components/use-range-now.js';
import { subscriptionColumns } from './columns.js';
import { CreateDialog } from './create-dialog.js';
import { Sockets } from './sockets.js';
import { SubscriptionRecord } from './subscription-record.js';
import styles from './subscriptions.module.css';

const fieldNames = Object.keys(fieldsOf('subscriptions'));
const pollMs = 1_000;

/** The list of durable subscriptions and connections, or a single subscription. */
export function SubscriptionsPage() {
  const { id } = usePlace();
  if (id === undefined) return <SubscriptionList />;
  return (
    <Page title="Subscription">
      <Scroll>
        <SubscriptionRecord key={id} id={id} />
      </Scroll>
    </Page>
  );
}

function SubscriptionList() {
  const place = usePlace();
  const { open, from, to, filters, sort } = place;
  const nowMs = useRangeNow();
  const parameters = useMemo(
    () => [...parametersOf('subscriptions', place, nowMs), ['fetchstatus', 'true'] as const],
    // Other parts of the place do not affect the query.
    [from, to, filters, nowMs],
  );
  const rows = useRows({
    subject: 'subscriptions',
    list: 'listSubscriptions',
    parameters,
    question: [from, to, filters],
    keyOf: ({ id }) => id,
    sorting: sortingOf(subscriptionColumns, sort).sorting,
  });
  usePolling(rows.rows);
  const [isCreating, setCreating] = useState(false);
  const create = (
    <button type="button" className="button" onClick={() => setCreating(true)}>
      <Icon name="subscriptions" /> New subscription
    </button>
  );
  return (
    <Split
      panelTitle="Subscription"
      panel={open === undefined ? undefined : <SubscriptionRecord key={open} id={open} />}
    >
      <Page title="Subscriptions" actions={create}>
        <Filters fields={fieldNames} judge={(filter) => judgeFilter('subscriptions', filter)} example="name=^app" />
        <List
          label="subscriptions"
          of={rows}
          columns={subscriptionColumns}
          keyOf={({ id }) => id}
          placeOf={({ id }) => ({ open: id })}
          empty={
            <Empty
              sentence="No subscriptions yet. A subscription remembers which events an application has acknowledged."
              command="stack subs create my-app"
            >
              {create}
            </Empty>
          }
        />
        <div className={styles.sockets}>
          <Sockets />
        </div>
      </Page>
      <CreateDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </Split>
  );
}

/** Reads the subscriptions every second while one of them advances or retries. Acknowledgements have no event. */
function usePolling(rows: readonly Subscription[]): void {
  const { live } = useExplorer();
  const isAdvancing = rows.some(({ status }) => status !== undefined && status.connections > 0 && status.lag > 0);
  const isRetrying = rows.some(({ status }) => (status?.delivery?.failures ?? 0) > 0);
  useEffect(() => {
    if (!isAdvancing && !isRetrying) return;
    const timer = setInterval(() => live.touch('subscriptions'), pollMs);
    return () => clearInterval(timer);
  }, [live, isAdvancing, isRetrying]);
}
