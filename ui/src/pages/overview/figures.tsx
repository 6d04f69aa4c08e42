import type { ReactNode } from 'react';
import type { Status } from '../../../../src/wire/network/status.js';
import { usePlace } from '../../api/explorer.js';
import { useRead } from '../../api/read.js';
import { Icon, type IconName } from '../../components/icon.js';
import { Link } from '../../components/link.js';
import { countOf } from '../../api/count.js';
import { pagePlace } from '../../url/place.js';
import { spreadText } from './latency.js';
import { useThroughput } from './throughput.js';
import styles from './overview.module.css';

export function Figures({ status }: { readonly status: Status }) {
  const rejected = useRead('messages', ['rejected'], (client, signal) =>
    countOf(client, 'messages?state=rejected', signal),
  );
  const { times, rate, period } = useThroughput();
  const { pending, blocked, chain } = status.parley;
  const { confirmed } = chain;
  const isBehind = confirmed !== undefined && chain.processed < confirmed;
  return (
    <ul className={styles.figures} aria-label="Figures">
      <Figure name="pending" icon="waiting" tone={pending > 0 ? 'waiting' : undefined} filter="pending=true">
        {pending}
      </Figure>
      <Figure name="blocked topics" icon="blocked" tone={blocked > 0 ? 'blocked' : undefined} page="topics">
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
      <Figure name="messages/s" icon="events" title={`Confirmed on this node ${period}`}>
        {rate}
      </Figure>
      <Figure name="to confirm" icon="clock" title={`p50 and p95 of ${times.length} messages ${period}`}>
        {spreadText(times)}
      </Figure>
      <Figure
        name={isBehind ? `of ${confirmed} blocks read` : 'blocks read'}
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
  /** The filter for the counted messages, or the page with more about the figure. */
  readonly filter?: string;
  readonly page?: string;
  readonly title?: string;
  readonly children: ReactNode;
}

function Figure({ name, icon, tone, filter, page, title, children }: FigureProps) {
  const place = usePlace();
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
      {filter === undefined && page === undefined ? (
        inside
      ) : (
        <Link to={pagePlace(place, page ?? 'messages', { filters: filter === undefined ? [] : [filter] })}>
          {inside}
        </Link>
      )}
    </li>
  );
}
