import { type Action, pathOf } from '../../actions/action.js';
import { option } from '../../actions/action-texts.js';
import { textOf } from '../../../../src/wire/json.js';
import type { Subscription } from '../../../../src/wire/subscription.js';

/** The fields of the form that makes a subscription. */
export interface SubscriptionDraft {
  readonly name: string;
  readonly events: string;
  readonly tag: string;
  readonly topics: string;
  readonly author: string;
  readonly first: string;
  readonly readAhead: string;
  /** The address of a webhook; empty = applications connect to a WebSocket. */
  readonly url: string;
  readonly withData: boolean;
}

export const emptyDraft: SubscriptionDraft = {
  ...{ name: '', events: '', tag: '', topics: '', author: '' },
  ...{ first: 'newest', readAhead: '', url: '', withData: false },
};

/** The filters of a draft as the list of events has them. */
export function filtersOfDraft({ events, tag, topics, author }: SubscriptionDraft): readonly string[] {
  const given = { events, 'message.tag': tag, 'message.topics': topics, 'message.author': author };
  return Object.entries(given).flatMap(([field, text]) => (text === '' ? [] : [`${field}=${text}`]));
}

/** Why a draft cannot be sent, by field; empty when it can. */
export function problemsOf(draft: SubscriptionDraft): Partial<Record<keyof SubscriptionDraft, string>> {
  const { name, first, readAhead, url } = draft;
  return {
    ...(!/^[A-Za-z0-9._-]{1,64}$/.test(name) && { name: 'A name has 1 to 64 letters, digits, dots, dashes or _.' }),
    ...(!/^(newest|oldest|\d{1,15})$/.test(first) && { first: 'Write newest, oldest, or a sequence such as 42.' }),
    ...(!/^\d{0,5}$/.test(readAhead) && { readAhead: 'A whole number up to 65535.' }),
    ...(url !== '' && !/^https?:\/\/./.test(url) && { url: 'An address begins with http:// or https://.' }),
  };
}

/** The request that makes a subscription; undefined while the draft is not complete. */
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
  const words = { events, tag, topics, author, 'read-ahead': readAhead, endpoint: url };
  const given = Object.entries(words).filter(([, value]) => value !== '');
  return {
    method: 'POST',
    path: 'subscriptions',
    body: textOf(body),
    cli: [
      ...['subs', 'create', name],
      ...given.flatMap(([flag, value]) => option(`--${flag}`, value)),
      ...(first === 'newest' ? [] : ['--first', first]),
      ...(isHook && withData ? ['--with-data'] : []),
    ],
  };
}

/** The request that removes a subscription, and how far it was. */
export function deleteAction({ id, name }: Pick<Subscription, 'id' | 'name'>): Action {
  return {
    method: 'DELETE',
    path: pathOf('subscriptions', id),
    cli: ['subs', 'delete', name, '--yes'],
    sdk: { method: 'deleteSubscription', arguments: [textOf(id)] },
  };
}
