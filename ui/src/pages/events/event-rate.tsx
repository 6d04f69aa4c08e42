import { memo, useMemo } from 'react';
import { Failure } from '../../components/page/failure.js';
import { barsOf, ratesOf, rateSummary, rateText } from '../../components/chart/histogram-shape.js';
import { TimeChart } from '../../components/chart/time-chart.js';
import { useHistogram } from '../../components/chart/use-histogram.js';
import { nodeNow } from '../../api/node-clock.js';

const series = ['events/s'];

/**
 * A chart of the events per second over the selected time range. Memoised, since the list below it may render in every
 * frame.
 */
export const EventRate = memo(() => {
  // Every event touches the status.
  const { range, buckets, error, retry } = useHistogram('events', 'status', []);
  const bars = useMemo(() => barsOf(buckets ?? [], () => 'events/s', range, nodeNow()), [buckets, range]);
  const rates = useMemo(() => ratesOf(bars), [bars]);
  if (error !== null && buckets === undefined) return <Failure error={error} onRetry={retry} />;
  return (
    <TimeChart
      bars={rates}
      range={range}
      series={series}
      summary={buckets === undefined ? '' : rateSummary(bars, (range.endMs - range.startMs) / 60_000)}
      tableLabel="Events per second by time"
      numberText={rateText}
    />
  );
});
