import { type PointerEvent, useId, useRef, useState } from 'react';
import { nodeNow } from '../../api/node-clock.js';
import styles from './chart.module.css';
import { axisTop, type Bar } from './histogram-shape.js';
import { clockText, dateText, dayText, hourText } from '../text/time-text.js';
import { useWidth } from '../width.js';

interface Props {
  readonly bars: readonly Bar[];
  /** The series of a bar, from the bottom up. Their names select the style. */
  readonly series: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
  /** A text alternative. */
  readonly label: string;
  readonly numberText: (value: number) => string;
  /** Called with the time range that was selected by dragging. */
  readonly onRange: (startMs: number, endMs: number) => void;
}

const heightPx = 72;
const axisPx = 16;
const leftPx = 36;
const minDragPx = 6;

/** A stacked bar chart over time. The bar that contains the present is hatched. */
export function Chart({ bars, series, startMs, endMs, label, numberText, onRange }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const hatch = useId();
  const plot = Math.max(1, width - leftPx);
  const xOf = (ms: number) => leftPx + ((ms - startMs) / (endMs - startMs)) * plot;
  const top = axisTop(bars);
  const drag = useDrag((left, right) => {
    const msAt = (x: number) => startMs + (Math.max(0, x - leftPx) / plot) * (endMs - startMs);
    onRange(msAt(left), msAt(right));
  });
  return (
    <div ref={box} className={styles.box}>
      <svg width={width} height={heightPx + axisPx} role="img" aria-label={label} {...drag.listeners}>
        <defs>
          <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="1.5" height="4" className={styles.hatch} />
          </pattern>
        </defs>
        <Axis top={top} startMs={startMs} endMs={endMs} width={width} />
        {bars.map((bar) => (
          <BarShape
            key={bar.startMs}
            bar={bar}
            series={series}
            top={top}
            hatch={hatch}
            numberText={numberText}
            x={xOf(bar.startMs)}
            end={xOf(bar.endMs)}
          />
        ))}
        {drag.span !== undefined && (
          <rect
            className={styles.selection}
            x={drag.span[0]}
            width={drag.span[1] - drag.span[0]}
            y={0}
            height={heightPx}
          />
        )}
      </svg>
    </div>
  );
}

function Axis({ top, startMs, endMs, width }: Pick<Props, 'startMs' | 'endMs'> & { top: number; width: number }) {
  const middleMs = (startMs + endMs) / 2;
  const text = (ms: number) => (endMs - startMs > 86_400_000 ? dateText(ms, nodeNow()) : hourText(ms));
  return (
    <g className={styles.axis}>
      <line x1={leftPx} x2={width} y1={heightPx - 0.5} y2={heightPx - 0.5} />
      <text x={leftPx - 6} y={10} textAnchor="end">
        {top}
      </text>
      <text x={leftPx - 6} y={heightPx} textAnchor="end">
        0
      </text>
      <text x={leftPx} y={heightPx + 13}>
        {text(startMs)}
      </text>
      <text x={leftPx + (width - leftPx) / 2} y={heightPx + 13} textAnchor="middle">
        {text(middleMs)}
      </text>
      <text x={width} y={heightPx + 13} textAnchor="end">
        {text(endMs)}
      </text>
    </g>
  );
}

interface BarProps extends Pick<Props, 'series' | 'numberText'> {
  readonly bar: Bar;
  readonly x: number;
  readonly end: number;
  readonly top: number;
  readonly hatch: string;
}

function BarShape({ bar, series, x, end, top, hatch, numberText }: BarProps) {
  if (bar.total === 0) return null;
  const scale = (heightPx - 4) / top;
  const width = Math.max(1, end - x - 1);
  let base = heightPx - 1;
  const parts = series.map((name) => {
    const height = (bar.counts[name] ?? 0) * scale;
    base -= height;
    return { name, y: base, height };
  });
  const texts = series.flatMap((name) => {
    const count = bar.counts[name] ?? 0;
    return count === 0 ? [] : [`${numberText(count)} ${name}`];
  });
  const start = `${dayText(bar.startMs, nodeNow())} ${clockText(bar.startMs)}`.trim();
  return (
    <g>
      <title>{`${start}: ${texts.join(', ')}`}</title>
      {parts.map(({ name, y, height }) =>
        height > 0 ? (
          <rect key={name} className={styles[name] ?? styles.single} x={x} y={y} width={width} height={height} />
        ) : null,
      )}
      {bar.isIncomplete && <rect x={x} y={base} width={width} height={heightPx - 1 - base} fill={`url(#${hatch})`} />}
    </g>
  );
}

/** Tracks a horizontal drag, in pixels from the left edge. A click is not a drag. */
function useDrag(done: (left: number, right: number) => void) {
  const [span, setSpan] = useState<readonly [from: number, to: number] | undefined>(undefined);
  const start = useRef<number | undefined>(undefined);
  const at = (event: PointerEvent<SVGSVGElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const spanTo = (x: number): readonly [number, number] | undefined => {
    const from = start.current;
    if (from === undefined || Math.abs(x - from) < minDragPx) return undefined;
    return [Math.min(from, x), Math.max(from, x)];
  };
  const listeners = {
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = at(event);
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => setSpan(spanTo(at(event))),
    onPointerUp: (event: PointerEvent<SVGSVGElement>) => {
      const found = spanTo(at(event));
      start.current = undefined;
      setSpan(undefined);
      if (found !== undefined) done(...found);
    },
    // Scrolling by touch cancels the pointer.
    onPointerCancel: () => {
      start.current = undefined;
      setSpan(undefined);
    },
  };
  return { span, listeners };
}
