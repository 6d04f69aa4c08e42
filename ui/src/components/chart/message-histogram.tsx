import { useMemo } from 'react';
import styles from './chart.module.css';
import { Failure } from '../page/failure.js';
import { barsOf, messageSummary } from './histogram-shape.js';
import { kindOf, kinds, messageTypes } from '../record/kinds.js';
import { TimeChart } from './time-chart.js';
import { useHistogram } from './use-histogram.js';
import { nodeNow } from '../../api/node-clock.js';

/** A chart of the messages of each kind over the selected time range. */
export function MessageHistogram() {
  const { range, buckets, error, retry } = useHistogram('messages', 'charts', messageTypes);
  const bars = useMemo(() => barsOf(buckets ?? [], kindOf, range, nodeNow()), [buckets, range]);
  if (error !== null && buckets === undefined) return <Failure error={error} onRetry={retry} />;
  return (
    <TimeChart
      bars={bars}
      range={range}
      series={kinds}
      summary={buckets === undefined ? '' : messageSummary(bars, (range.endMs - range.startMs) / 60_000)}
      tableLabel="Messages by time"
      numberText={String}
      legend={<Legend />}
    />
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
