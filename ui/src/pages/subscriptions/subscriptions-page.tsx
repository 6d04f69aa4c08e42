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
import { subscriptionColumns } from './columns.js';
import { CreateDialog } from './create-dialog.js';
import { Sockets } from './sockets.js';
import { SubscriptionRecord } from './subscription-record.js';
import styles from './subscriptions.module.css';

const fieldNames = Object.keys(fieldsOf('subscriptions'));
const moveMs = 1_000;

/** The durable subscriptions of the namespace and who is connected; or one subscription alone. */
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
  const parameters = useMemo(
    () => [...parametersOf('subscriptions', place, Date.now()), ['fetchstatus', 'true'] as const],
    // Only these decide what is asked for.
    [from, to, filters],
  );
  const rows = useRows({
    subject: 'subscriptions',
    list: 'listSubscriptions',
    parameters,
    keyOf: ({ id }) => id,
    sorting: sortingOf(subscriptionColumns, sort).sorting,
  });
  useMoving(rows.rows);
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
              sentence="There is none yet. A durable subscription remembers what an application has acknowledged."
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

/** Reads again each second while a subscription moves: an acknowledgement is no event, so nothing else tells of it. */
function useMoving(rows: readonly Subscription[]): void {
  const { live } = useExplorer();
  const isMoving = rows.some(({ status }) => status !== undefined && status.connections > 0 && status.lag > 0);
  const isRetried = rows.some(({ status }) => (status?.delivery?.failures ?? 0) > 0);
  useEffect(() => {
    if (!isMoving && !isRetried) return;
    const timer = setInterval(() => live.touch('subscriptions'), moveMs);
    return () => clearInterval(timer);
  }, [live, isMoving, isRetried]);
}
