/** A time given in a filter. */
export interface Moment {
  /** In the stored form: UTC, truncated to milliseconds. */
  readonly text: string;
  /** Whether it was truncated, so that it lies between `text` and the next millisecond. */
  readonly isBetween: boolean;
}

const rfc3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+ -]\d{2}:\d{2})$/;
const whole = /^\d{1,19}$/;
/** The units of whole numbers by size: seconds up to the first bound, then milliseconds, microseconds, nanoseconds. */
const units: readonly (readonly [below: bigint, perMs: bigint])[] = [
  [100_000_000_000_000n, 1n],
  [100_000_000_000_000_000n, 1_000n],
];
const maxSeconds = 100_000_000_000n;
const nanosecondsPerMs = 1_000_000n;

/**
 * Parses a time in RFC 3339, or a whole number of seconds, milliseconds, microseconds or nanoseconds, distinguished by
 * size (docs/api.md §8.1). In an offset a space counts as the plus that it was before URL decoding. Returns undefined
 * for anything else, including dates that do not exist.
 */
export function readMoment(text: string): Moment | undefined {
  if (whole.test(text)) return momentOfNumber(BigInt(text));
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, date = '', time = '', fraction = '', offset = 'Z'] = match;
  // `Date.parse` reads a day or an hour that does not exist as another one, or not at all.
  const local = momentOf(Date.parse(`${date}T${time}.000Z`), false);
  if (local?.text !== `${date}T${time}.000Z`) return undefined;
  const zone = offset.toUpperCase().replace(' ', '+');
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  return momentOf(Date.parse(`${date}T${time}.${milliseconds}${zone}`), /[1-9]/.test(fraction.slice(3)));
}

function momentOfNumber(number: bigint): Moment | undefined {
  if (number < maxSeconds) return momentOf(Number(number * 1_000n), false);
  const perMs = units.find(([below]) => number < below)?.[1] ?? nanosecondsPerMs;
  return momentOf(Number(number / perMs), number % perMs !== 0n);
}

function momentOf(epochMs: number, isBetween: boolean): Moment | undefined {
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  return text.length === '2026-01-15T10:00:00.123Z'.length ? { text, isBetween } : undefined;
}

/** Converts a stored time to milliseconds since 1970. */
export function epochMsOf(time: string): number {
  return Date.parse(time);
}

/** Converts milliseconds since 1970 to the stored form. */
export function timeOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Seconds between two times of this node's clock; never below 0. */
export function secondsBetween(from: string, to: string): number {
  return Math.max(0, epochMsOf(to) - epochMsOf(from)) / 1_000;
}
