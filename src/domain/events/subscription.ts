import { isPlainNumber, readDurationMs } from '../../wire/duration.js';
import { ServiceError } from '../../wire/errors/error.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import { nearestHint } from '../../wire/lists/query.js';
import type { JsonText } from '../../wire/scalar.js';
import { compileFilter, type Filter, readFilter } from './filter.js';

export type Transport = 'websockets' | 'webhooks';

/**
 * The position at which a subscription begins: after the newest event, before all events, or after the event with this
 * sequence (docs/api.md §14.3).
 */
export type FirstEvent = 'newest' | 'oldest' | number;

/** The parsed delivery options of docs/api.md §14.3. */
export interface SubscriptionOptions {
  readonly firstEvent: FirstEvent;
  /** How many further events may be sent before one is acknowledged. */
  readonly readAhead: number;
  /** Whether the values of a message are delivered instead of the event. */
  readonly withData: boolean;
  /** Delivers several events at once: when `readAhead` have been collected, or this long after the first. */
  readonly batch?: { readonly timeoutMs: number };
  /**
   * Returns the options as they are served, with defaults. `first` is the sequence after which the subscription begins,
   * which is known when it is created; the submitted `firstEvent` is served beside it.
   */
  readonly shown: (first: string) => Readonly<Record<string, unknown>>;
}

/** Options that all transports share (docs/api.md §14.3). */
export const deliveryOptionNames: readonly string[] = [
  'firstEvent',
  'firstEventGiven',
  'readAhead',
  'withData',
  'batch',
  'batchTimeout',
];
/** FireFly's text for a subscription that begins before all events. */
export const beforeAllEvents = '-1';

export const maxReadAhead = 65_535;
const batchReadAhead = 50;
const defaultBatchTimeout = '50ms';
const maxBatchTimeoutMs = 600_000;

/**
 * Reads the options of a subscription from a request. Options of the transport are only accepted by name here
 * (`others`); the transport reads them.
 *
 * @throws ServiceError unknown_filter for an unknown option, field_type, first_event, first_event_negative,
 * data_on_socket, batch_with_data, not_duration, bad_subscription
 */
export function readOptions(
  value: unknown,
  {
    transport,
    others = [],
    hasData = false,
  }: {
    readonly transport: Transport;
    readonly others?: readonly string[];
    /** Default of `withData` for webhooks. */
    readonly hasData?: boolean | undefined;
  },
): SubscriptionOptions {
  const given = givenOptions(value, [...deliveryOptionNames, ...others]);
  const isBatch = readBoolean(given, 'batch') ?? false;
  const withData = readBoolean(given, 'withData') ?? (hasData && transport === 'webhooks' && !isBatch);
  if (withData && transport === 'websockets') throw new ServiceError('data_on_socket');
  if (withData && isBatch) throw new ServiceError('batch_with_data');
  const submitted = given.get('firstEvent') ?? 'newest';
  const firstEvent = readFirstEvent(submitted);
  // Options may be sent back as they were served; then the originally submitted value is kept.
  const firstEventGiven = given.get('firstEventGiven') ?? submitted;
  readFirstEvent(firstEventGiven);
  const asked = readReadAhead(given.get('readAhead')) ?? 0;
  // As in FireFly: a batch of size 0 would deliver one event at a time.
  const readAhead = isBatch && asked === 0 ? batchReadAhead : asked;
  const { batchTimeout, timeoutMs } = readTimeout(given.get('batchTimeout') ?? defaultBatchTimeout);
  const shown = (first: string) => ({
    firstEvent: first,
    firstEventGiven,
    readAhead,
    withData,
    ...(given.has('batch') && { batch: isBatch }),
    ...((isBatch || given.has('batchTimeout')) && { batchTimeout }),
    ...Object.fromEntries(others.flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : []))),
  });
  return { firstEvent, readAhead, withData, ...(isBatch && { batch: { timeoutMs } }), shown };
}

/** Parses a stored subscription, whose texts were validated before they were stored. */
export function readSubscription({
  filter,
  options,
}: {
  /** As it is served. */
  readonly filter: JsonText;
  /** As they are served. */
  readonly options: JsonText;
}): Pick<SubscriptionOptions, 'readAhead' | 'withData' | 'batch'> & { readonly filter: Filter } {
  const stored = valueOf(options);
  // Options of the transport were validated by it and do not concern delivery.
  const own = Object.fromEntries(entriesOf(stored).filter(([name]) => deliveryOptionNames.includes(name)));
  const { readAhead, withData, batch } = readOptions(own, { transport: 'webhooks' });
  return {
    filter: compileFilter(readFilter(valueOf(filter))),
    readAhead,
    withData,
    ...(batch !== undefined && { batch }),
  };
}

/** Options by name; `null` and empty text count as absent. @throws ServiceError field_type, unknown_filter */
function givenOptions(value: unknown, known: readonly string[]): ReadonlyMap<string, unknown> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong('options', 'an object', value);
  const members = entriesOf(value).filter(([, member]) => member !== null && member !== '');
  for (const [name] of members) {
    if (!known.includes(name))
      throw new ServiceError('unknown_filter', { actual: name, hint: nearestHint(name, known) });
  }
  return new Map(members);
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function readBoolean(given: ReadonlyMap<string, unknown>, name: string): boolean | undefined {
  const value = given.get(name);
  if (value === undefined || typeof value === 'boolean') return value;
  throw wrong(`options.${name}`, 'true or false', value);
}

function readFirstEvent(value: unknown): FirstEvent {
  if (value === 'newest' || value === 'oldest') return value;
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,16}$/.test(value));
  const sequence = isNumber ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(sequence)) {
    throw new ServiceError('first_event', { actual: textOf(value) });
  }
  if (sequence < -1) throw new ServiceError('first_event_negative', { actual: sequence });
  return sequence;
}

function readReadAhead(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number') throw wrong('options.readAhead', 'a whole number', value);
  if (Number.isInteger(value) && value >= 0 && value <= maxReadAhead) return value;
  const problem = `readAhead must be a whole number from 0 to ${maxReadAhead}, not ${value}`;
  throw new ServiceError('bad_subscription', { problem });
}

/** Reads milliseconds, given as a number or text, or a duration. */
function readTimeout(value: unknown): { readonly batchTimeout: string; readonly timeoutMs: number } {
  if (typeof value !== 'string' && typeof value !== 'number') throw wrong('options.batchTimeout', 'a duration', value);
  const text = String(value);
  const timeoutMs = readDurationMs(text, 'ms');
  if (timeoutMs === undefined) throw new ServiceError('not_duration', { field: 'options.batchTimeout', actual: text });
  if (timeoutMs > maxBatchTimeoutMs) {
    const problem = `batchTimeout may be at most ${maxBatchTimeoutMs / 1_000} s, not ${value}`;
    throw new ServiceError('bad_subscription', { problem });
  }
  return { batchTimeout: isPlainNumber(text) ? `${text}ms` : text, timeoutMs };
}

function wrong(field: string, expected: string, value: unknown): ServiceError {
  const actual = value === null ? 'null' : Array.isArray(value) ? 'an array' : `of type ${typeof value}`;
  return new ServiceError('field_type', { field, expected, actual });
}
