import { useEffect, useRef } from 'react';
import { isFinal } from '../../../src/client/wait.js';
import type { Message } from '../../../src/wire/messages/message.js';
import type { TransactionStatus } from '../../../src/wire/chain/transaction.js';
import { usePlace } from '../api/explorer.js';
import { useRead } from '../api/read.js';
import { Failure } from '../components/page/failure.js';
import { Link } from '../components/link.js';
import { Skeleton } from '../components/page/skeleton.js';
import { State, Tone } from '../components/record/state.js';
import { Text } from '../components/text/text.js';
import { Time } from '../components/text/time.js';
import { recordSubject } from '../live/invalidator.js';
import { ProgressView } from '../pages/messages/progress-view.js';
import { pagePlace } from '../url/place.js';
import styles from './actions.module.css';
import { FollowOperation } from './operations/follow-operation.js';
import { RetryHere } from './operations/retry-here.js';

interface Props {
  /** The kind of record: a message, a transaction (of a call, transfer, approval or pool), or an operation. */
  readonly kind: 'message' | 'transaction' | 'operation';
  readonly id: string;
}

/** Shows the progress of an action until it is final. */
export function Follow({ kind, id }: Props) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The braces matter: some browsers return a promise, which React would call as the clean-up.
    section.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section ref={section} className={styles.follow} aria-label="Result">
      {kind === 'message' && <FollowMessage id={id} />}
      {kind === 'transaction' && <FollowTransaction id={id} />}
      {kind === 'operation' && <FollowOperation id={id} />}
    </section>
  );
}

/** The polling interval of a pending transaction. Some of its steps have no event. */
const stepMs = 1_000;

function FollowMessage({ id }: { readonly id: string }) {
  const place = usePlace();
  const message = useRead(recordSubject(id), ['message'], (client, signal) =>
    client.getMessage({ path: { msgid: id }, signal }),
  );
  const to = pagePlace(place, 'messages', { open: id });
  const value = message.data?.value;
  return (
    <>
      <p className={styles.result}>
        <Link to={to}>
          Message <code>{id.slice(0, 8)}</code>
        </Link>
        {value !== undefined && <State state={value.state} />}
        {value !== undefined && <Final message={value} />}
      </p>
      {message.error !== null && <Failure error={message.error} onRetry={() => void message.refetch()} />}
      {value === undefined && message.error === null && <Skeleton rows={6} />}
      {value !== undefined && <ProgressView message={value} />}
    </>
  );
}

function Final({ message }: { readonly message: Message }) {
  if (!isFinal(message)) return <span className="muted">pending</span>;
  if (message.state === 'rejected')
    return (
      <span>
        <Text value={message.rejectReason ?? ''} />
      </span>
    );
  return message.confirmed === undefined ? null : <Time iso={message.confirmed} />;
}

const looks = {
  Pending: { tone: 'waiting', icon: 'waiting' },
  Succeeded: { tone: 'confirmed', icon: 'check' },
  Failed: { tone: 'rejected', icon: 'cross' },
} as const;

function FollowTransaction({ id }: { readonly id: string }) {
  const status = useRead(
    'transactions',
    ['status', id],
    (client, signal) => client.getTransactionStatus({ path: { transactionid: id }, signal }),
    { pollMs: (answer) => (answer === undefined || answer.value.status === 'Pending' ? stepMs : undefined) },
  );
  const value = status.data?.value;
  return (
    <>
      <p className={styles.result}>
        <span>
          Transaction <code>{id.slice(0, 8)}</code>
        </span>
        {value !== undefined && <Tone {...looks[value.status]} word={value.status} />}
      </p>
      {status.error !== null && <Failure error={status.error} onRetry={() => void status.refetch()} />}
      {value === undefined && status.error === null && <Skeleton rows={3} />}
      {value !== undefined && <Parts status={value} />}
    </>
  );
}

function Parts({ status }: { readonly status: TransactionStatus }) {
  return (
    <ul className={styles.parts}>
      {status.details.map((part, index) => (
        <li key={index}>
          <Tone {...looks[part.status]} word={part.status} />
          <span>
            {part.type}
            {part.subtype !== undefined && (
              <>
                {' '}
                <Text value={part.subtype} />
              </>
            )}
          </span>
          {part.timestamp !== undefined && <Time iso={part.timestamp} />}
          {part.error !== undefined && <Text value={part.error} />}
          {part.type === 'Operation' && part.status === 'Failed' && part.id !== undefined && <RetryHere id={part.id} />}
        </li>
      ))}
    </ul>
  );
}
