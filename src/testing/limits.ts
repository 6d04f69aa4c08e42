import { inspect } from 'node:util';

/** The longest time of a timer in Node: 24 days, in milliseconds. */
const maxMs = 2 ** 31 - 1;

/**
 * Returns a time limit of a caller, or the default if there is none. Any other value would end a wait at once or
 * never, as NaN does.
 *
 * @throws TypeError unless it is a number of milliseconds that a timer can have
 */
export function limitOf(option: string, value: unknown, defaultMs: number): number {
  if (value === undefined) return defaultMs;
  if (typeof value === 'number' && value >= 0 && value <= maxMs) return value;
  throw new TypeError(`${option} must be a number of milliseconds from 0 to ${maxMs}, but is ${inspect(value)}.`);
}
