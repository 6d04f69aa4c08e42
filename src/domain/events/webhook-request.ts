import { membersOf } from '../../wire/json/json-reader.js';
import { valueOf } from '../../wire/json/json.js';
import type { TxType } from '../../wire/messages/message.js';
import type { JsonText } from '../../wire/scalar.js';
import { isMessagesHeader } from './webhook-header.js';
import { txtypeOf, type WebhookSettings } from './webhook.js';

/** An event for a webhook, with the values of its message. */
export interface WebhookContent {
  readonly id: string;
  /** The event as it is delivered. */
  readonly event: string;
  /** The values as they are stored; empty for other events and for files without a value. */
  readonly values: readonly JsonText[];
}

/** An HTTP call to a webhook. */
export interface WebhookCall {
  readonly url: string;
  readonly method: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

const methodsWithBody = ['POST', 'PUT', 'PATCH'];

/**
 * Builds the call for an event, or for several in batch mode (docs/api.md §16). The bytes of values are as stored.
 * Unusable input in a message is ignored: it must not block the events behind it.
 */
export function callFor(settings: WebhookSettings, contents: readonly WebhookContent[]): WebhookCall {
  const [first] = contents;
  const input = membersOfFirst(first);
  const hasBody = methodsWithBody.includes(settings.method);
  const bodies = contents.map((content) => bodyOf(settings, content));
  return {
    url: urlFor(settings, input),
    method: settings.method,
    headers: {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...headersFrom(settings, input),
      ...Object.fromEntries(settings.headers),
      'x-parley-event': first?.id ?? '',
    },
    ...(hasBody && { body: settings.isBatch ? `[${bodies.join(',')}]` : bodies[0] }),
  };
}

/** The txtype of the reply to a message, which the message itself gives if the owner allows it (docs/api.md §16). */
export function replyTxtype(settings: WebhookSettings, content: WebhookContent): TxType | undefined {
  const { input, reply } = settings;
  const given = input.replytx === undefined ? undefined : membersOfFirst(content).get(input.replytx);
  if (given === undefined) return reply?.txtype;
  const value = valueOf(given);
  return (value === true ? 'batch_pin' : typeof value === 'string' ? txtypeOf(value) : undefined) ?? reply?.txtype;
}

function bodyOf({ input, withData, wrapsValue }: WebhookSettings, content: WebhookContent): string {
  const { event, values } = content;
  const named = input.body === undefined ? undefined : membersOfFirst(content).get(input.body);
  if (named !== undefined) return named;
  const [first, ...others] = values;
  if (!withData || first === undefined) return event;
  if (others.length > 0) return `[${values.join(',')}]`;
  return wrapsValue && !first.startsWith('{') ? `{"value":${first}}` : first;
}

function membersOfFirst(content: WebhookContent | undefined): ReadonlyMap<string, JsonText> {
  const [value] = content?.values ?? [];
  return (value === undefined ? undefined : membersOf(value)) ?? new Map<string, JsonText>();
}

type Members = ReadonlyMap<string, JsonText>;

function urlFor({ url: base, query, input }: WebhookSettings, members: Members): string {
  const url = new URL(base);
  const path = input.path === undefined ? undefined : plainText(members.get(input.path));
  if (path !== undefined) url.pathname = `${url.pathname.replace(/\/$/, '')}${below(path)}`;
  for (const [name, value] of query) url.searchParams.append(name, value);
  const own = new Set(url.searchParams.keys());
  for (const [name, value] of textsIn(members, input.query)) {
    // A message cannot override what the owner has set.
    if (!own.has(name)) url.searchParams.append(name, value);
  }
  return url.href;
}

/** Appends a path: each segment is encoded, and empty and dot segments are dropped. */
function below(path: string): string {
  return path
    .split('/')
    .filter((segment) => !['', '.', '..'].includes(segment))
    .map((segment) => `/${new URLSearchParams([['', segment]]).toString().slice(1).replaceAll('+', '%20')}`)
    .join('');
}

function headersFrom({ input }: WebhookSettings, members: Members): Record<string, string> {
  const allowed = textsIn(members, input.headers).filter(([name, value]) => isMessagesHeader(name, value));
  return Object.fromEntries(allowed.map(([name, value]) => [name.toLowerCase(), value]));
}

/** The texts, numbers and booleans of a member that is an object. */
function textsIn(members: Members, name: string | undefined): [string, string][] {
  const object = name === undefined ? undefined : members.get(name);
  return [...((object === undefined ? undefined : membersOf(object)) ?? [])].flatMap(([key, text]) => {
    const plain = plainText(text);
    return plain === undefined ? [] : [[key, plain] satisfies [string, string]];
  });
}

/** Reads a scalar as text; numbers keep their digits. */
function plainText(text: JsonText | undefined): string | undefined {
  if (text === undefined || text === 'null' || text.startsWith('{') || text.startsWith('[')) return undefined;
  const value = text.startsWith('"') ? valueOf(text) : text;
  return typeof value === 'string' ? value : undefined;
}
