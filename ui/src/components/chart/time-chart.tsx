import { type ReactNode, useState } from 'react';
import { useExplorer } from '../../api/explorer.js';
import { Chart } from './chart.js';
import styles from './chart.module.css';
import type { ChartRange } from './chart-range.js';
import type { Bar } from './histogram-shape.js';
import { SmallTable } from '../table/small-table.js';
import { ClockTime } from '../text/time.js';

interface Props {
  readonly bars: readonly Bar[];
  readonly range: ChartRange;
  /** The series of a bar, from the bottom up. */
  readonly series: readonly string[];
  readonly summary: string;
  /** The name of the table for screen readers. */
  readonly tableLabel: string;
  readonly numberText: (value: number) => string;
  readonly legend?: ReactNode;
}

/** A chart over time with a summary, also as a table. Dragging selects a time range. */
export function TimeChart({ bars, range, series, summary, tableLabel, numberText, legend }: Props) {
  const { places } = useExplorer();
  const [isTable, setTable] = useState(false);
  const { startMs, endMs } = range;
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span>{summary}</span>
        <span className={styles.aside}>
          {legend}
          <button type="button" className="button plain" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </button>
        </span>
      </figcaption>
      {isTable ? (
        <BarTable bars={bars} series={series} label={tableLabel} numberText={numberText} />
      ) : (
        <Chart
          bars={bars}
          series={series}
          startMs={startMs}
          endMs={endMs}
          label={summary}
          numberText={numberText}
          onRange={(first, last) => places.go({ from: iso(first), to: iso(last) })}
        />
      )}
    </figure>
  );
}

interface TableProps extends Pick<Props, 'bars' | 'series' | 'numberText'> {
  readonly label: string;
}

function BarTable({ bars, series, label, numberText }: TableProps) {
  const filled = bars.filter(({ total }) => total > 0);
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label={label}>
      <SmallTable
        label={label}
        rows={filled}
        keyOf={({ startMs }) => startMs}
        columns={[
          { title: 'From', render: ({ startMs }: Bar) => <ClockTime iso={iso(startMs)} /> },
          ...series.map((name) => ({
            title: name,
            isNumber: true,
            render: ({ counts, isCapped }: Bar) => `${numberText(counts[name] ?? 0)}${isCapped ? ' or more' : ''}`,
          })),
        ]}
      />
      {filled.length === 0 && <p className="muted">Nothing in this time range.</p>}
    </div>
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
