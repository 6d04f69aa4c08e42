import { memo, useMemo } from 'react';
import { Failure } from '../../components/page/failure.js';
import { barsOf, ratesOf, rateSummary, rateText } from '../../components/chart/histogram-shape.js';
import { TimeChart } from '../../components/chart/time-chart.js';
import { useHistogram } from '../../components/chart/use-histogram.js';

const series = ['events/s'];

/**
 * How many events a second there were, over the range that is looked at; live, over the last minutes. The list beside
 * it may be drawn in every frame, which does not draw the chart again.
 */
export const EventRate = memo(() => {
  // Every event touches the status.
  const { range, buckets, error, retry } = useHistogram('events', 'status', true);
  const bars = useMemo(() => barsOf(buckets ?? [], () => 'events/s', range, Date.now()), [buckets, range]);
  const rates = useMemo(() => ratesOf(bars), [bars]);
  if (error !== null && buckets === undefined) return <Failure error={error} onRetry={retry} />;
  return (
    <TimeChart
      bars={rates}
      range={range}
      series={series}
      summary={buckets === undefined ? '' : rateSummary(bars, (range.endMs - range.startMs) / 60_000)}
      tableLabel="Events a second by time"
      numberText={rateText}
    />
  );
});
