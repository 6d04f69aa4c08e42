import { Type } from '@sinclair/typebox';
import { textOf, valueOf } from '../../../../src/wire/json/json.js';
import { type JsonText, Raw } from '../../../../src/wire/scalar.js';
import type { Subscription } from '../../../../src/wire/events/subscription.js';
import { readAs } from '../../api/read-as.js';

const Options = Type.Object({
  firstEvent: Type.Optional(Raw),
  firstEventGiven: Type.Optional(Raw),
  readAhead: Type.Optional(Raw),
  withData: Type.Optional(Raw),
  batch: Type.Optional(Raw),
  url: Type.Optional(Raw),
  method: Type.Optional(Raw),
});

/** The main options of a subscription, as given. */
export interface Settings {
  readonly firstEvent: string;
  readonly readAhead: string;
  readonly withData: boolean;
  readonly isBatch: boolean;
  /** The URL of a webhook. */
  readonly url: string | undefined;
  readonly method: string;
}

export function settingsOf({ options }: Pick<Subscription, 'options'>): Settings {
  const { firstEvent, firstEventGiven, readAhead, withData, batch, url, method } = readAs(Options, options);
  return {
    firstEvent: plain(firstEventGiven) ?? plain(firstEvent) ?? 'newest',
    readAhead: plain(readAhead) ?? '0',
    withData: withData === 'true',
    isBatch: batch === 'true',
    url: plain(url),
    method: plain(method) ?? 'POST',
  };
}

/** Formats JSON for display: a string without its quotes. */
function plain(text: JsonText | undefined): string | undefined {
  if (text === undefined || text === 'null') return undefined;
  const value = valueOf(text);
  return typeof value === 'string' ? value : text;
}

/** A filter as one `field=expression` for each of its fields. */
export function filtersOf(filter: JsonText): readonly string[] {
  return flat(valueOf(filter), []);
}

function flat(value: unknown, path: readonly string[]): readonly string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) => flat(member, [...path, name]));
  if (value === null || value === undefined || value === '') return [];
  return [`${path.join('.')}=${typeof value === 'string' ? value : textOf(value)}`];
}
