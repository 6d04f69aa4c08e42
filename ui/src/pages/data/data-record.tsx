import { isMissing } from '../../api/missing.js';
import { useRead } from '../../api/read.js';
import { DataItem } from '../../components/record/data-item.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { Link } from '../../components/link.js';
import { MessageKind } from '../../components/record/message-kind.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { State } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { DataActions } from './data-actions.js';
import styles from './data.module.css';

/** A data item and the messages that refer to it. */
export function DataRecord({ id }: { readonly id: string }) {
  // The subject is the collection, since no event names a data item that is published or deleted.
  const item = useRead('data', ['one', id], (client, signal) => client.getData({ path: { dataid: id }, signal }));
  if (item.data === undefined || isMissing(item.error)) {
    if (item.error === null) return <Skeleton rows={6} />;
    const retry = () => void item.refetch();
    return <Failure error={item.error} what="data item" onRetry={retry} />;
  }
  const { value, text } = item.data;
  const reference = value.public ?? value.blob?.public;
  return (
    <article aria-label={`Data item ${id}`}>
      <Section title="Content">
        <DataItem item={value} />
      </Section>
      <Section title="About">
        <Facts
          of={[
            ['Created', <Time key="created" iso={value.created} />],
            ['Hash', <Id key="hash" id={value.hash} what="the hash" />],
            ['Validator', value.validator],
            ['Shared store', reference === undefined ? 'not published' : <Text value={reference} />],
          ]}
        />
      </Section>
      <DataActions item={value} />
      <UsedBy id={id} />
      <Section title="As served">
        <Json text={text} what="the data item" />
      </Section>
    </article>
  );
}

function UsedBy({ id }: { readonly id: string }) {
  const messages = useRead('messages', ['of data', id], (client, signal) =>
    client.listDataMessages({ path: { dataid: id }, signal }),
  );
  const rows = messages.data?.value ?? [];
  return (
    <Section title="Used by">
      {messages.isPending && <Skeleton rows={1} />}
      {messages.error !== null && <Failure error={messages.error} onRetry={() => void messages.refetch()} />}
      {messages.data !== undefined && rows.length === 0 && (
        <p className="muted">No message refers to this data item.</p>
      )}
      <ul className={styles.uses}>
        {rows.map(({ header, state }) => (
          <li key={header.id}>
            <Link to={{ page: 'messages', id: undefined, filters: [], open: header.id }}>
              <code>{header.id.slice(0, 8)}</code>
            </Link>
            <MessageKind type={header.type} />
            <State state={state} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
