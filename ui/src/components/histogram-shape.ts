import type { Kind } from './kinds.js';

/** One stretch of time with its counts by kind. */
export interface Bar {
  readonly startMs: number;
  readonly endMs: number;
  readonly counts: Readonly<Record<Kind, number>>;
  readonly total: number;
  /** It contains the present: there may be more. */
  readonly isIncomplete: boolean;
}

/** The largest value of the axis: 1, 2 or 5 times a power of ten, at least as large as the highest bar. */
export function axisTop(bars: readonly Bar[]): number {
  const highest = Math.max(1, ...bars.map(({ total }) => total));
  const power = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= highest) ?? highest;
}

/** What the chart shows, in a sentence. */
export function summaryOf(bars: readonly Bar[], minutes: number): string {
  const sum = (of: (bar: Bar) => number) => bars.reduce((total, bar) => total + of(bar), 0);
  const total = sum((bar) => bar.total);
  if (total === 0) return `No messages in ${spanOf(minutes)}.`;
  const parts = (['broadcast', 'private', 'definition', 'token'] as const).flatMap((kind) => {
    const count = sum(({ counts }) => counts[kind]);
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  return `${total} ${total === 1 ? 'message' : 'messages'} in ${spanOf(minutes)}: ${parts.join(', ')}.`;
}

function spanOf(minutes: number): string {
  if (minutes < 120) return `${Math.round(minutes)} minutes`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} hours`;
  return `${Math.round(minutes / 1_440)} days`;
}
