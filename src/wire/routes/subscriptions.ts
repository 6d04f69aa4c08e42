import { Type } from '@sinclair/typebox';
import { Event } from '../events/event-record.js';
import { get, list, post, put, remove } from '../route.js';
import { Flag } from '../scalar.js';
import { Subscription, SubscriptionRequest } from '../events/subscription.js';

/** These paths have no `/api/v1` prefix (docs/api.md §1). */
const unprefixed = <const P extends string>(path: P) => `/namespaces/{ns}/${path}`;
const withStatus = { fetchstatus: Flag };

export const subscriptionRoutes = {
  createSubscription: post('subscriptions', {
    changes: 'subscriptions',
    also: [unprefixed('subscriptions')],
    summary: 'Create a durable subscription, whose position is stored',
    body: SubscriptionRequest,
    status: 201,
    reply: Subscription,
  }),
  replaceSubscription: put('subscriptions', {
    changes: 'subscriptions',
    also: [unprefixed('subscriptions')],
    summary: 'Create a subscription, or replace the one of that name, which keeps its position',
    body: SubscriptionRequest,
    status: 200,
    reply: Subscription,
  }),
  listSubscriptions: list('subscriptions', {
    also: [unprefixed('subscriptions')],
    from: 'subscriptions',
    summary: 'List durable subscriptions, newest first',
    query: withStatus,
    reply: Subscription,
  }),
  getSubscription: get('subscriptions/{subid}', {
    also: [unprefixed('subscriptions/{subid}')],
    summary: 'Get a durable subscription by its id or name',
    query: withStatus,
    reply: Subscription,
  }),
  deleteSubscription: remove('subscriptions/{subid}', {
    changes: 'subscriptions',
    also: [unprefixed('subscriptions/{subid}')],
    summary: 'Delete a durable subscription by its id or name; a new one of that name starts at its own first event',
  }),
  listSubscriptionEvents: list('subscriptions/{subid}/events', {
    also: [unprefixed('subscriptions/{subid}/events')],
    like: 'events',
    summary: 'List the past events that match a subscription, of the newest 1,000 or of a range of sequences',
    query: {
      startsequence: Type.Integer({ description: 'first sequence of the range' }),
      endsequence: Type.Integer({ description: 'last sequence of the range' }),
      fetchreferences: Flag,
    },
    reply: Event,
  }),
} as const;
