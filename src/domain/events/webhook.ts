import { assertConforms } from '../../wire/check.js';
import { readDurationMs } from '../../wire/duration.js';
import { ServiceError } from '../../wire/errors/error.js';
import { given } from '../../wire/given.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import type { TxType } from '../../wire/messages/message.js';
import { nearestHint } from '../../wire/lists/query.js';
import {
  WebhookHttpOptions,
  WebhookInput,
  type WebhookOptions,
  webhookOptionNames,
  WebhookRetry,
  WithWebhookOptions,
} from '../../wire/events/webhook.js';
import { type JsonText, namePattern } from '../../wire/scalar.js';
import { reservedPrefix } from '../network/identity.js';
import { type ProfileRules, profileRulesOf } from '../network/profile.js';
import { deliveryOptionNames, readOptions } from './subscription.js';
import { isOwnersHeader } from './webhook-header.js';

/** The parsed options of a webhook (docs/api.md §16). */
export interface WebhookSettings {
  readonly url: string;
  readonly method: string;
  /** The owner's headers, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The owner's query parameters, in addition to those of the url. */
  readonly query: ReadonlyMap<string, string>;
  /** Members of the first value of a message that supply parts of the call. */
  readonly input: NonNullable<WebhookOptions['input']>;
  /** Whether values of messages are sent instead of events. */
  readonly withData: boolean;
  /** Whether a lone value that is not an object is sent as the member `value` of one. */
  readonly wrapsValue: boolean;
  /** Whether events are sent in arrays. */
  readonly isBatch: boolean;
  /**
   * Whether events are acknowledged before the call: at most `readAhead + 1` calls at once, unordered, never repeated.
   */
  readonly isFastAck: boolean;
  readonly readAhead: number;
  /** Whether the reply is read as JSON whatever its content type. */
  readonly isJsonReply: boolean;
  /** Answers messages with messages. */
  readonly reply?: { readonly tag: string | undefined; readonly txtype: TxType } | undefined;
  readonly retry: {
    /** How often a call is repeated before it is given up; undefined = without limit. */
    readonly maxRepeats: number | undefined;
    readonly initialDelayMs: number;
    readonly maxDelayMs: number;
  };
  readonly timeouts: WebhookTimeouts;
}

export interface WebhookTimeouts {
  /** For one call, including redirects, from its beginning to the last byte of the reply. */
  readonly requestMs: number;
  /** For one connection, and for its TLS handshake. */
  readonly connectionMs: number;
  readonly handshakeMs: number;
}

const defaultTimeoutMs = 30_000;
const maxTimeoutMs = 600_000;
const defaultInitialDelayMs = 250;
const defaultMaxDelayMs = 10_000;
/** Longest delay between repeats, so that a repaired target is soon called again. */
const maxDelayMs = 3_600_000;
const defaultReplyRepeats = 5;
const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

/**
 * Reads the options of a webhook, including those of every subscription, as requested or as served. Whether its target
 * may be called is decided elsewhere (`ports/webhook.ts`).
 *
 * @throws ServiceError webhook_without_url, webhook_not_text, webhook_refused for a url that can never be called,
 * unknown_filter for an unknown option, field_type, bad_subscription, bad_name, reserved_name, not_duration
 */
export function readWebhook(
  text: JsonText,
  { webhooksGetObjects }: Pick<ProfileRules, 'webhooksGetObjects'> = profileRulesOf(undefined),
): WebhookSettings {
  const value = givenMembers(valueOf(text));
  const { readAhead, withData, batch } = readOptions(value, { transport: 'webhooks', others: webhookOptionNames });
  const own = Object.fromEntries(Object.entries(value).filter(([name]) => !deliveryOptionNames.includes(name)));
  const options = checkForm(own);
  if (options.url === undefined || options.url === '') throw new ServiceError('webhook_without_url');
  refuseWhatIsNotOffered(options, batch !== undefined);
  return {
    url: checkUrl(options.url).href,
    method: readMethod(options.method),
    headers: readHeaders(options.headers),
    query: readTexts('options.query', options.query),
    input: options.input ?? {},
    withData,
    wrapsValue: webhooksGetObjects,
    isBatch: batch !== undefined,
    isFastAck: options.fastack === true,
    readAhead,
    isJsonReply: options.json === true,
    reply: options.reply === true ? readReply(options) : undefined,
    retry: readRetry(options),
    timeouts: readTimeouts(options.httpOptions),
  };
}

/**
 * The txtype that a text names; undefined if it names none. `unpinned` is a synonym of `none` (docs/protocol.md §5.1).
 */
export function txtypeOf(text: string): TxType | undefined {
  if (text === 'batch_pin') return 'batch_pin';
  return text === 'none' || text === 'unpinned' ? 'none' : undefined;
}

function givenMembers(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  // As in the options of every subscription, null counts as absent.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** @throws ServiceError unknown_filter, field_type */
function checkForm(options: Readonly<Record<string, unknown>>): WebhookOptions {
  const nested = { input: WebhookInput, retry: WebhookRetry, httpOptions: WebhookHttpOptions };
  for (const [name, { properties }] of Object.entries(nested)) {
    const known = Object.keys(properties);
    const stranger = Object.keys(givenMembers(options[name])).find((member) => !known.includes(member));
    if (stranger === undefined) continue;
    const hint = nearestHint(stranger, known);
    throw new ServiceError('unknown_filter', { actual: `${name}.${stranger}`, hint });
  }
  const whole: unknown = given({ options }, WithWebhookOptions);
  assertConforms(WithWebhookOptions, whole, 'options');
  return whole.options;
}

/** @throws ServiceError bad_subscription */
function refuseWhatIsNotOffered({ tlsConfigName, httpOptions, reply, input }: WebhookOptions, isBatch: boolean): void {
  if (tlsConfigName !== undefined && tlsConfigName !== '') {
    throw wrong('tlsConfigName is not offered: a node trusts the authorities of Node.js and of NODE_EXTRA_CA_CERTS');
  }
  if (httpOptions?.proxyURL !== undefined && httpOptions.proxyURL !== '') {
    throw wrong('httpOptions.proxyURL is not offered: a proxy would connect to addresses that were not checked');
  }
  if (isBatch && reply === true) throw wrong('reply is for single messages, not for batches');
  const single = (['query', 'headers', 'path', 'replytx'] as const).find((name) => input?.[name] !== undefined);
  if (isBatch && single !== undefined)
    throw wrong(`input.${single} is of single messages; a batch may have input.body`);
}

/** @throws ServiceError webhook_refused */
function checkUrl(text: string): URL {
  if (!URL.canParse(text)) throw refused(text, 'it is not a URL; give one such as https://example.com/hook');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused(text, 'only http and https are possible');
  if (url.username !== '' || url.password !== '') {
    throw refused(url.host, 'credentials do not belong into its url; set the header authorization in options.headers');
  }
  url.hash = '';
  return url;
}

function readMethod(given: string | undefined): string {
  if (given === undefined || given === '') return 'POST';
  const method = given.toUpperCase();
  if (methods.includes(method)) return method;
  throw wrong(`method must be one of ${methods.join(', ')}, not ${given}`);
}

function readHeaders(given: WebhookOptions['headers']): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of readTexts('options.headers', given)) {
    if (!isOwnersHeader(name, value)) {
      throw wrong(`the header ${textOf(name)} is one that the node sets itself, or has characters that no header has`);
    }
    headers.set(name.toLowerCase(), value);
  }
  return headers;
}

/** @throws ServiceError webhook_not_text */
function readTexts(field: string, given: WebhookOptions['headers'] = {}): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') {
      const actual = value === null ? 'null' : Array.isArray(value) ? 'an array' : `of type ${typeof value}`;
      throw new ServiceError('webhook_not_text', { field: `${field}.${name}`, actual });
    }
    texts.set(name, value);
  }
  return texts;
}

function readReply({ replytag, replytx }: WebhookOptions): NonNullable<WebhookSettings['reply']> {
  const txtype = replytx === undefined || replytx === '' ? 'batch_pin' : txtypeOf(replytx);
  if (txtype === undefined) throw wrong(`replytx must be batch_pin or none, not ${replytx ?? ''}`);
  if (replytag?.startsWith(reservedPrefix) === true) {
    throw new ServiceError('reserved_name', { field: 'options.replytag', actual: replytag });
  }
  if (replytag === undefined || replytag === '') return { tag: undefined, txtype };
  if (!namePattern.test(replytag)) throw new ServiceError('bad_name', { field: 'options.replytag', actual: replytag });
  return { tag: replytag, txtype };
}

function readRetry({ retry = {}, reply }: WebhookOptions): WebhookSettings['retry'] {
  const { enabled = true, count = 0 } = retry;
  const isLimited = enabled && count > 0;
  const initialDelayMs = readDuration('retry.initialDelay', retry.initialDelay, defaultInitialDelayMs, maxDelayMs);
  const longest = readDuration('retry.maxDelay', retry.maxDelay, defaultMaxDelayMs, maxDelayMs);
  return {
    maxRepeats: isLimited ? count : reply === true ? defaultReplyRepeats : undefined,
    initialDelayMs,
    maxDelayMs: Math.max(longest, initialDelayMs),
  };
}

function readTimeouts(options: WebhookOptions['httpOptions'] = {}): WebhookTimeouts {
  const read = (name: 'requestTimeout' | 'connectionTimeout' | 'tlsHandshakeTimeout'): number =>
    readDuration(`httpOptions.${name}`, options[name], defaultTimeoutMs, maxTimeoutMs);
  return {
    requestMs: read('requestTimeout'),
    connectionMs: read('connectionTimeout'),
    handshakeMs: read('tlsHandshakeTimeout'),
  };
}

/** Reads a duration in milliseconds, the default unit as in FireFly; at least one. @throws ServiceError not_duration */
function readDuration(name: string, given: string | number | undefined, fallback: number, max: number): number {
  if (given === undefined || given === '') return fallback;
  const durationMs = readDurationMs(String(given), 'ms');
  if (durationMs === undefined) {
    throw new ServiceError('not_duration', { field: `options.${name}`, actual: String(given) });
  }
  if (durationMs >= 1 && durationMs <= max) return durationMs;
  throw wrong(`${name} must be from 1 ms to ${max / 1_000} s, not ${given}`);
}

function refused(target: string, problem: string): ServiceError {
  return new ServiceError('webhook_refused', { problem: `A webhook may not call ${target}: ${problem}.` });
}

function wrong(problem: string): ServiceError {
  return new ServiceError('bad_subscription', { problem });
}
