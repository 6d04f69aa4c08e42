import type { Message } from '../../../../src/wire/messages/message.js';

/** The value below which a share of sorted values lies. */
export function quantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** How long the messages took from creation to confirmation here, sorted, in milliseconds. */
export function latencies(messages: readonly Message[]): readonly number[] {
  return messages
    .flatMap(({ header, confirmed }) =>
      confirmed === undefined ? [] : [Math.max(0, Date.parse(confirmed) - Date.parse(header.created))],
    )
    .sort((left, right) => left - right);
}

/** How many of these moments are within the last `windowMs`, a second. */
export function ratePerSecond(times: readonly string[], nowMs: number, windowMs: number): number {
  return times.filter((time) => Date.parse(time) > nowMs - windowMs).length / (windowMs / 1_000);
}
