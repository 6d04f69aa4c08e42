import type { Message } from '../../../../src/wire/messages/message.js';

export function quantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/**
 * The times from creation to confirmation on this node, sorted, in milliseconds. A message of another party may have
 * been created at a time that does not exist.
 */
export function latencies(messages: readonly Message[]): readonly number[] {
  return messages
    .map(({ header, confirmed = '' }) => Math.max(0, Date.parse(confirmed) - Date.parse(header.created)))
    .filter((latencyMs) => !Number.isNaN(latencyMs))
    .sort((left, right) => left - right);
}

/** Formats the median and 95th percentile of sorted milliseconds, in the unit of the latter; a dash if empty. */
export function spreadText(sorted: readonly number[]): string {
  const [p50, p95] = [quantile(sorted, 0.5), quantile(sorted, 0.95)];
  if (p50 === undefined || p95 === undefined) return '–';
  const [name, ms] = unitOf(p95);
  const text = (value: number): string => (value / ms).toFixed(ms === 1 ? 0 : value < ms ? 2 : 1);
  return `${text(p50)} · ${text(p95)} ${name}`;
}

/** The unit in which a time has at most three digits before the point. */
function unitOf(value: number): readonly [name: string, ms: number] {
  if (value < 1_000) return ['ms', 1];
  if (value < 100_000) return ['s', 1_000];
  return value < 6_000_000 ? ['min', 60_000] : ['h', 3_600_000];
}

/** The number of times within the last `windowMs`, per second. */
export function ratePerSecond(times: readonly string[], nowMs: number, windowMs: number): number {
  return times.filter((time) => Date.parse(time) > nowMs - windowMs).length / (windowMs / 1_000);
}
