import { useState } from 'react';
import type { Subscription, SubscriptionStatus } from '../../../../src/wire/events/subscription.js';
import { isMissing } from '../../api/missing.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Tone } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { ChangeButton } from './change-button.js';
import { DeliveryState, FilterText } from './columns.js';
import { DeleteDialog } from './delete-dialog.js';
import { PastEvents } from './past-events.js';
import { settingsOf } from './settings.js';
import styles from './subscriptions.module.css';

/** A durable subscription with its settings, position, webhook and past events. */
export function SubscriptionRecord({ id }: { readonly id: string }) {
  const subscription = useRead('subscriptions', ['one', id], (client, signal) =>
    client.getSubscription({ path: { subid: id }, query: { fetchstatus: true }, signal }),
  );
  if (subscription.data === undefined || isMissing(subscription.error)) {
    if (subscription.error === null) return <Skeleton rows={8} />;
    const retry = () => void subscription.refetch();
    return <Failure error={subscription.error} what="subscription" onRetry={retry} />;
  }
  const { value, text } = subscription.data;
  return (
    <article aria-label={`Subscription ${id}`}>
      <About subscription={value} />
      {value.status !== undefined && <Position subscription={value} status={value.status} />}
      {value.transport === 'webhooks' && <Webhook subscription={value} />}
      <PastEvents id={id} />
      <Section title="As served">
        <Json text={text} what="the subscription" />
      </Section>
    </article>
  );
}

function About({ subscription }: { readonly subscription: Subscription }) {
  const { firstEvent, readAhead, withData, isBatch } = settingsOf(subscription);
  const { id, name, transport, filter, created, updated } = subscription;
  const [isDeleting, setDeleting] = useState(false);
  const actions = (
    <span className={styles.buttons}>
      <ChangeButton subscription={subscription} />
      <button type="button" className="button" onClick={() => setDeleting(true)}>
        Delete
      </button>
    </span>
  );
  return (
    <Section title={name} actions={actions}>
      <DeleteDialog subscription={subscription} isOpen={isDeleting} onClose={() => setDeleting(false)} />
      <Facts
        of={[
          ['Id', <Id key="id" id={id} what="the id of the subscription" isWhole />],
          ['Transport', transport],
          ['Filter', <FilterText key="filter" filter={filter} />],
          ['First event', <Text key="first" value={firstEvent} />],
          ['Read-ahead', <Text key="ahead" value={readAhead} />],
          ['Delivers', withData ? 'message values' : isBatch ? 'events in batches' : 'events'],
          ['Created', <Time key="created" iso={created} />],
          ['Updated', updated === null ? undefined : <Time iso={updated} />],
        ]}
      />
    </Section>
  );
}

interface PositionProps {
  readonly subscription: Subscription;
  readonly status: SubscriptionStatus;
}

function Position({ subscription, status: { currentOffset, lag, inFlight, connections } }: PositionProps) {
  return (
    <Section title="Position" actions={<DeliveryState subscription={subscription} />}>
      <Facts
        of={[
          ['Acknowledged', `up to sequence ${currentOffset}`],
          ['Lag', lag === 0 ? 'none' : `${lag} sequences behind the newest event`],
          ['In flight', `${inFlight} sent and not acknowledged`],
          ['Connections', subscription.transport === 'webhooks' ? undefined : String(connections)],
        ]}
      />
      {subscription.transport === 'websockets' && connections === 0 && (
        <p className="muted">Not connected. Events are delivered when an application connects with this name.</p>
      )}
    </Section>
  );
}

/** The webhook of a subscription and the results of its calls. */
function Webhook({ subscription }: { readonly subscription: Subscription }) {
  const { url, method } = settingsOf(subscription);
  const { failures = 0, lastError, nextAttempt } = subscription.status?.delivery ?? {};
  return (
    <Section
      title="Webhook"
      actions={
        failures === 0 ? (
          <Tone tone="confirmed" icon="check" word="no failures" />
        ) : (
          <Tone tone="rejected" icon="cross" word={`${failures} failed in a row`} />
        )
      }
    >
      <Facts
        of={[
          ['Request', <Text key="url" value={`${method} ${url ?? ''}`} />],
          ['Last error', lastError === undefined ? undefined : <Text value={lastError} />],
          ['Next attempt', nextAttempt === undefined ? undefined : <Time iso={nextAttempt} />],
        ]}
      />
    </Section>
  );
}
