import { useState } from 'react';
import type { Event } from '../../../../src/wire/events/event-record.js';
import { useRead } from '../../api/read.js';
import { DataItem } from '../../components/record/data-item.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { Link } from '../../components/link.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { recordSubject } from '../../live/invalidator.js';

/** An event with the record that it refers to. */
export function EventRecord({ id }: { readonly id: string }) {
  const event = useRead(recordSubject(id), ['event'], (client, signal) =>
    client.getEvent({ path: { eventid: id }, query: { fetchreference: true }, signal }),
  );
  if (event.data === undefined) {
    if (event.error === null) return <Skeleton rows={6} />;
    const retry = () => void event.refetch();
    return <Failure error={event.error} what="event" onRetry={retry} />;
  }
  const { value, text } = event.data;
  return (
    <article aria-label={`Event ${id}`}>
      <Section title={value.type}>
        <Facts
          of={[
            ['Id', <Id key="id" id={value.id} what="the id of the event" isWhole />],
            ['Sequence', value.sequence],
            ['Created', <Time key="created" iso={value.created} />],
            ['Reference', <Reference key="reference" event={value} />],
            [
              'Correlator',
              value.correlator === undefined ? undefined : <Id id={value.correlator} what="the correlator" />,
            ],
            ['Transaction', value.tx === undefined ? undefined : <Id id={value.tx} what="the transaction" />],
            ['Topic', value.topic === undefined ? undefined : <Text value={value.topic} />],
          ]}
        />
      </Section>
      {value.message !== undefined && <DataOnDemand id={value.message.header.id} />}
      <Section title="As served">
        <Json text={text} what="the event" />
      </Section>
    </article>
  );
}

function Reference({ event: { reference, message } }: { readonly event: Event }) {
  if (message === undefined) return <Id id={reference} what="the reference" isWhole />;
  return (
    <Link to={{ page: 'messages', id: undefined, filters: [], open: reference }}>
      message <code>{reference.slice(0, 8)}</code>
    </Link>
  );
}

/** The data of the event's message, read on request. */
function DataOnDemand({ id }: { readonly id: string }) {
  const [isWanted, setWanted] = useState(false);
  const data = useRead(
    recordSubject(id),
    ['data'],
    (client, signal) => client.getMessageData({ path: { msgid: id }, signal }),
    { isEnabled: isWanted },
  );
  return (
    <Section title="Data of the message">
      {!isWanted && (
        <button type="button" className="button" onClick={() => setWanted(true)}>
          Show data
        </button>
      )}
      {isWanted && data.isPending && <Skeleton rows={2} />}
      {data.error !== null && <Failure error={data.error} what="data" onRetry={() => void data.refetch()} />}
      {data.data?.value.map((item) => (
        <DataItem key={item.id} item={item} />
      ))}
    </Section>
  );
}
