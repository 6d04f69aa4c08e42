import { useState } from 'react';
import type { Answer } from '../../../../src/client/client.js';
import type { Data } from '../../../../src/wire/data/data.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { MessageOperations } from '../../actions/operations/message-operations.js';
import { useRead } from '../../api/read.js';
import { Author } from '../../components/record/author.js';
import { CopyButton } from '../../components/record/copy.js';
import { DataItem } from '../../components/record/data-item.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { MessageKind } from '../../components/record/message-kind.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { State } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { recordSubject } from '../../live/invalidator.js';
import { HashChecks } from './hash-checks.js';
import { BatchFacts } from './batch-facts.js';
import { MessageEvents } from './message-events.js';
import { MessageLink } from './message-link.js';
import { References } from './references.js';
import { ReplyButtons } from './reply-buttons.js';
import { Pins } from './pins.js';
import { ProgressView } from './progress-view.js';
import styles from './messages.module.css';

/** A message with its progress, data, batch and references. */
export function MessageRecord({ id }: { readonly id: string }) {
  const message = useRead(recordSubject(id), ['message'], (client, signal) =>
    client.getMessage({ path: { msgid: id }, signal }),
  );
  const data = useRead(recordSubject(id), ['data'], (client, signal) =>
    client.getMessageData({ path: { msgid: id }, signal }),
  );
  if (message.data === undefined) {
    if (message.error === null) return <Skeleton rows={10} />;
    const retry = () => void message.refetch();
    return <Failure error={message.error} what="message" onRetry={retry} />;
  }
  const { value } = message.data;
  return (
    <article aria-label={`Message ${id}`} data-stale={message.isError}>
      <MessageHeader message={value} data={data.data?.value} />
      <ProgressView message={value} />
      <DataSection message={value} answer={data.data} error={data.error} onRetry={() => void data.refetch()} />
      {data.data !== undefined && <HashChecks message={value} data={data.data.value} />}
      <Pins message={value} />
      <BatchFacts message={value} />
      <MessageOperations message={value} />
      <References message={value} />
      <MessageEvents id={id} />
      <RawSection answer={message.data} />
    </article>
  );
}

interface HeaderProps {
  readonly message: Message;
  readonly data: readonly Data[] | undefined;
}

function MessageHeader({ message, data }: HeaderProps) {
  const { header, state, hash, batch, txid, confirmed, rejected, idempotencyKey, rejectReason } = message;
  return (
    <section className={styles.header} aria-label="Header">
      <p className={styles.headline}>
        <State state={state} /> <MessageKind type={header.type} />
        <ReplyButtons message={message} data={data} />
      </p>
      <Facts
        of={[
          ['Id', <Id key="id" id={header.id} what="the id of the message" isWhole />],
          ['Author', <Author key="author" did={header.author} />],
          ['Tag', header.tag === undefined ? undefined : <Text value={header.tag} />],
          ['Topics', <Text key="topics" value={header.topics.join(', ')} />],
          ['Group', header.group === undefined ? undefined : <Id id={header.group} what="the group" />],
          ['Reply to', header.cid === undefined ? undefined : <MessageLink id={header.cid} />],
          ['Created', <Time key="created" iso={header.created} />],
          ['Confirmed', confirmed === undefined ? undefined : <Time iso={confirmed} />],
          ['Rejected', rejected === undefined ? undefined : <Time iso={rejected} />],
          ['Reject reason', rejectReason === undefined ? undefined : <Text value={rejectReason} />],
          ['Hash', <Id key="hash" id={hash} what="the hash" />],
          ['Batch', batch === undefined ? undefined : <Id id={batch} what="the batch" />],
          ['Transaction', txid === undefined ? undefined : <Id id={txid} what="the transaction" />],
          ['Key', <Id key="key" id={header.key} what="the key" />],
          ['Idempotency key', idempotencyKey === undefined ? undefined : <Text value={idempotencyKey} />],
        ]}
      />
    </section>
  );
}

interface DataProps {
  readonly message: Message;
  readonly answer: Answer<readonly Data[]> | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** The data items of a message, including those that this node does not have. */
function DataSection({ message, answer, error, onRetry }: DataProps) {
  return (
    <Section title={`Data · ${message.data.length}`}>
      {answer === undefined ? (
        error === null ? (
          <Skeleton rows={2} />
        ) : (
          <Failure error={error} what="data" onRetry={onRetry} />
        )
      ) : message.data.length === 0 ? (
        <p className="muted">No data.</p>
      ) : (
        <ul className={styles.items}>
          {message.data.map(({ id }, index) => {
            const item = answer.value.find((each) => each.id === id);
            return <li key={index}>{item === undefined ? <MissingItem id={id} /> : <DataItem item={item} />}</li>;
          })}
        </ul>
      )}
    </Section>
  );
}

function MissingItem({ id }: { readonly id: string }) {
  return (
    <p className="muted">
      <Id id={id} what="the id of the data" /> is not on this node: it has not arrived yet, or was deleted.
    </p>
  );
}

function RawSection({ answer }: { readonly answer: Answer<Message> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="As served"
      actions={
        <button type="button" className="button plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'} JSON
        </button>
      }
    >
      {isOpen ? (
        <Json text={answer.text} what="the message" />
      ) : (
        <CopyButton text={answer.text} what="the message" label="Copy JSON" />
      )}
    </Section>
  );
}
