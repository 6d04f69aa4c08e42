import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { readPage } from '../../../../src/client/page.js';
import type { Status } from '../../../../src/wire/status.js';
import { useRead } from '../../api/read.js';
import { Icon, type IconName } from '../../components/icon.js';
import { Link } from '../../components/link.js';
import { useAtNow } from '../../components/now.js';
import { countOf } from '../../api/count.js';
import { latencies, quantile, ratePerSecond } from './latency.js';
import styles from './overview.module.css';

const sampleSize = 200;
const rateWindowMs = 10_000;

/** The numbers that say whether all is well. */
export function Figures({ status }: { readonly status: Status }) {
  const rejected = useRead('messages', ['rejected'], (client, signal) =>
    countOf(client, 'messages?state=rejected', signal),
  );
  const sample = useRead('messages', ['sample'], (client, signal) =>
    readPage(
      client,
      'listMessages',
      [
        ['pending', 'false'],
        ['limit', String(sampleSize)],
      ],
      signal,
    ),
  );
  const messages = useMemo(() => sample.data?.entries.map(({ value }) => value) ?? [], [sample.data]);
  const times = useMemo(() => latencies(messages), [messages]);
  const rate = useAtNow((now) => {
    const moments = messages.flatMap(({ confirmed }) => confirmed ?? []);
    return ratePerSecond(moments, now, rateWindowMs).toFixed(1);
  });
  const { pending, blocked, chain } = status.parley;
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  const isBehind = chain.head !== null && chain.processed < chain.head;
  return (
    <ul className={styles.figures} aria-label="Figures">
      <Figure name="pending" icon="waiting" tone={pending > 0 ? 'waiting' : undefined} filter="pending=true">
        {pending}
      </Figure>
      <Figure name="blocked topics" icon="blocked" tone={blocked > 0 ? 'blocked' : undefined}>
        {blocked}
      </Figure>
      <Figure
        name="rejected"
        icon="cross"
        tone={(rejected.data ?? 0) > 0 ? 'rejected' : undefined}
        filter="state=rejected"
      >
        {rejected.data ?? '–'}
      </Figure>
      <Figure name="messages/s" icon="events" title="confirmed here in the last 10 seconds">
        {rate}
      </Figure>
      <Figure name="to confirm" icon="clock" title={`p50 and p95 of the newest ${times.length} messages`}>
        {p50 === undefined || p95 === undefined ? '–' : `${p50} · ${p95} ms`}
      </Figure>
      <Figure
        name={isBehind ? `of ${chain.head} blocks read` : 'blocks read'}
        icon="namespace"
        tone={isBehind ? 'waiting' : undefined}
      >
        {chain.processed}
      </Figure>
    </ul>
  );
}

interface FigureProps {
  readonly name: string;
  readonly icon: IconName;
  readonly tone?: string | undefined;
  /** The filter of messages that shows what is counted. */
  readonly filter?: string;
  readonly title?: string;
  readonly children: ReactNode;
}

function Figure({ name, icon, tone, filter, title, children }: FigureProps) {
  const inside = (
    <>
      <span className={styles.number}>{children}</span>
      <span className={styles.name}>
        <Icon name={icon} />
        {name}
      </span>
    </>
  );
  return (
    <li className={styles.figure} data-tone={tone} title={title}>
      {filter === undefined ? (
        inside
      ) : (
        <Link to={{ page: 'messages', id: undefined, open: undefined, filters: [filter] }}>{inside}</Link>
      )}
    </li>
  );
}
