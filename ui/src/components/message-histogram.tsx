import { useMemo, useState } from 'react';
import type { HistogramBucket } from '../../../src/wire/transaction.js';
import type { Static } from '@sinclair/typebox';
import { useExplorer, usePlace } from '../api/explorer.js';
import { useRead } from '../api/read.js';
import { momentOf } from '../url/place.js';
import { Chart } from './chart.js';
import styles from './chart.module.css';
import { Failure } from './failure.js';
import { type Bar, summaryOf } from './histogram-shape.js';
import { kindOf, type Kind, kinds } from './kinds.js';
import { useAtNow } from './now.js';

const buckets = 60;
const liveMs = 15 * 60_000;

/** How many messages of each kind there were, over the range that is looked at; live, over the last minutes. */
export function MessageHistogram() {
  const { places } = useExplorer();
  const { from, to } = usePlace();
  const [isTable, setTable] = useState(false);
  // Time passes in whole buckets, so that a chart moves seldom; what is read again is decided by events.
  const bucketMs = liveMs / buckets;
  const nowMs = useAtNow((now) => Math.ceil(now / bucketMs) * bucketMs);
  const [startMs, endMs] = rangeOf(from, to, nowMs);
  const isLive = from === undefined && to === undefined;
  const counts = useRead(
    'charts',
    ['messages', isLive ? 'live' : startMs, isLive ? 'live' : endMs],
    (client, signal) => {
      const [first, last] = rangeOf(from, to, Math.ceil(Date.now() / bucketMs) * bucketMs);
      return client.getChartHistogram({
        path: { collection: 'messages' },
        query: { startTime: iso(first), endTime: iso(last), buckets },
        signal,
      });
    },
    { keepsPrevious: true },
  );
  const data = counts.data?.value;
  const bars = useMemo(() => (data === undefined ? [] : barsOf(data, startMs, endMs)), [data, startMs, endMs]);
  if (counts.error !== null && data === undefined)
    return (
      <Failure error={counts.error} request="GET charts/histogram/messages" onRetry={() => void counts.refetch()} />
    );
  const summary = data === undefined ? '' : summaryOf(bars, (endMs - startMs) / 60_000);
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span>{summary}</span>
        <span className={styles.aside}>
          <Legend />
          <button type="button" className="button plain" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </button>
        </span>
      </figcaption>
      {isTable ? (
        <BarTable bars={bars} />
      ) : (
        <Chart
          bars={bars}
          startMs={startMs}
          endMs={endMs}
          label={summary}
          onRange={(first, last) => places.go({ from: iso(first), to: iso(last) })}
        />
      )}
    </figure>
  );
}

function Legend() {
  return (
    <span className={styles.legend}>
      {kinds.map((kind) => (
        <span key={kind}>
          <svg width="10" height="10" aria-hidden="true">
            <rect width="10" height="10" rx="2" className={styles[kind]} />
          </svg>
          {kind}
        </span>
      ))}
    </span>
  );
}

function BarTable({ bars }: { readonly bars: readonly Bar[] }) {
  const filled = bars.filter(({ total }) => total > 0);
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label="Messages by time">
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            {kinds.map((kind) => (
              <th key={kind} scope="col">
                {kind}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filled.map(({ startMs, counts }) => (
            <tr key={startMs}>
              <td title={iso(startMs)}>{new Date(startMs).toLocaleString()}</td>
              {kinds.map((kind) => (
                <td key={kind}>{counts[kind]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {filled.length === 0 && <p className="muted">None.</p>}
    </div>
  );
}

function rangeOf(from: string | undefined, to: string | undefined, nowMs: number): [startMs: number, endMs: number] {
  const endMs = to === undefined ? nowMs : Date.parse(momentOf(to, nowMs));
  const startMs = from === undefined ? endMs - liveMs : Date.parse(momentOf(from, nowMs));
  return startMs < endMs ? [startMs, endMs] : [endMs - liveMs, endMs];
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** The buckets of the node as bars; those that time has left behind are gone. */
function barsOf(data: readonly Static<typeof HistogramBucket>[], startMs: number, endMs: number): readonly Bar[] {
  const first = Date.parse(data[0]?.timestamp ?? iso(startMs));
  const second = Date.parse(data[1]?.timestamp ?? iso(endMs));
  const lengthMs = Math.max(1, second - first);
  return data.flatMap(({ timestamp, types, count }) => {
    const barMs = Date.parse(timestamp);
    if (barMs < startMs || barMs >= endMs) return [];
    const counts: Record<Kind, number> = { broadcast: 0, private: 0, definition: 0, token: 0 };
    for (const each of types) counts[kindOf(each.type)] += Number(each.count);
    const isIncomplete = barMs <= Date.now() && Date.now() < barMs + lengthMs;
    return [{ startMs: barMs, endMs: barMs + lengthMs, counts, total: Number(count), isIncomplete }];
  });
}
