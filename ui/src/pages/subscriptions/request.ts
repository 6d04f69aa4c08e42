import { type Action, pathOf } from '../../actions/action.js';
import { option } from '../../actions/action-texts.js';
import { objectText } from '../../actions/body-text.js';
import { jsonProblem } from '../../actions/json-text.js';
import { compact } from '../../../../src/wire/json/json-reader.js';
import { textOf } from '../../../../src/wire/json/json.js';
import type { Subscription } from '../../../../src/wire/events/subscription.js';

export interface SubscriptionDraft {
  readonly name: string;
  readonly events: string;
  readonly tag: string;
  readonly topics: string;
  readonly author: string;
  readonly first: string;
  readonly readAhead: string;
  /** The URL of a webhook; empty for a WebSocket. */
  readonly url: string;
  readonly withData: boolean;
}

export const emptyDraft: SubscriptionDraft = {
  name: '',
  events: '',
  tag: '',
  topics: '',
  author: '',
  first: 'newest',
  readAhead: '',
  url: '',
  withData: false,
};

/** The filters of a draft, in the form of filters of the event list. */
export function filtersOfDraft({ events, tag, topics, author }: SubscriptionDraft): readonly string[] {
  const given = { events, 'message.tag': tag, 'message.topics': topics, 'message.author': author };
  return Object.entries(given).flatMap(([field, text]) => (text === '' ? [] : [`${field}=${text}`]));
}

/** The problems of a draft, by field. */
export function problemsOf(draft: SubscriptionDraft): Partial<Record<keyof SubscriptionDraft, string>> {
  const { name, first, readAhead, url } = draft;
  return {
    ...(!/^[A-Za-z0-9._-]{1,64}$/.test(name) && { name: 'A name has 1 to 64 letters, digits, dots, dashes or _.' }),
    ...(!/^(newest|oldest|\d{1,15})$/.test(first) && { first: 'Enter newest, oldest, or a sequence such as 42.' }),
    ...(!/^\d{0,5}$/.test(readAhead) && { readAhead: 'Enter a whole number up to 65535.' }),
    ...(url !== '' && !/^https?:\/\/./.test(url) && { url: 'Enter a URL that begins with http:// or https://.' }),
  };
}

/** The request that creates a subscription; undefined while the draft is incomplete or invalid. */
export function createAction(draft: SubscriptionDraft): Action | undefined {
  if (Object.keys(problemsOf(draft)).length > 0) return undefined;
  const { name, events, tag, topics, author, first, readAhead, url, withData } = draft;
  const message = { ...(tag !== '' && { tag }), ...(topics !== '' && { topics }), ...(author !== '' && { author }) };
  const isHook = url !== '';
  const body = {
    name,
    transport: isHook ? 'webhooks' : 'websockets',
    filter: { ...(events !== '' && { events }), ...(Object.keys(message).length > 0 && { message }) },
    options: {
      firstEvent: first,
      ...(readAhead !== '' && { readAhead: Number(readAhead) }),
      ...(isHook && { url, withData }),
    },
  };
  const flags = { events, tag, topics, author, 'read-ahead': readAhead, endpoint: url };
  const given = Object.entries(flags).filter(([, value]) => value !== '');
  return {
    method: 'POST',
    path: 'subscriptions',
    body: textOf(body),
    cli: [
      'subs',
      'create',
      name,
      ...given.flatMap(([flag, value]) => option(`--${flag}`, value)),
      ...(first === 'newest' ? [] : ['--first', first]),
      ...(isHook && withData ? ['--with-data'] : []),
    ],
  };
}

/** The filter and options of a subscription as JSON, for the form that changes them. */
export interface SubscriptionChange {
  readonly filter: string;
  readonly options: string;
}

/** The problems of a change, by field. */
export function changeProblems({ filter, options }: SubscriptionChange): Partial<Record<'filter' | 'options', string>> {
  const [ofFilter, ofOptions] = [objectProblem(filter), objectProblem(options)];
  return {
    ...(ofFilter !== undefined && { filter: ofFilter }),
    ...(ofOptions !== undefined && { options: ofOptions }),
  };
}

/** The request that replaces the filter and options of a subscription; undefined while one of them is invalid. */
export function replaceAction(
  { name, transport }: Pick<Subscription, 'name' | 'transport'>,
  change: SubscriptionChange,
): Action | undefined {
  if (Object.keys(changeProblems(change)).length > 0) return undefined;
  const body = objectText([
    ['name', textOf(name)],
    ['transport', textOf(transport)],
    ['filter', compact(change.filter)],
    ['options', compact(change.options)],
  ]);
  return { method: 'PUT', path: 'subscriptions', body, sdk: { method: 'replaceSubscription' } };
}

function objectProblem(text: string): string | undefined {
  return jsonProblem(text) ?? (text.trim().startsWith('{') ? undefined : 'Enter a JSON object, such as {}.');
}

/** The request that deletes a subscription and its position. */
export function deleteAction({ id, name }: Pick<Subscription, 'id' | 'name'>): Action {
  return {
    method: 'DELETE',
    path: pathOf('subscriptions', id),
    cli: ['subs', 'delete', name, '--yes'],
    sdk: { method: 'deleteSubscription', arguments: [textOf(id)] },
  };
}
