import { valueOf } from '../../wire/json/json.js';
import type { JsonText } from '../../wire/scalar.js';
import type { Subscription, SubscriptionStatus } from '../../wire/events/subscription.js';
import { leavesOf } from '../requests/leaves.js';
import type { Collection } from '../requests/list.js';
import { recordText } from '../requests/record-text.js';
import { ageColumn } from '../terminal/table.js';
import { plural, safe, shortId } from '../terminal/text.js';

/** The list of subscriptions, with their filters and progress. */
export function subscriptionCollection(nowMs: number): Collection<'listSubscriptions'> {
  return {
    route: 'listSubscriptions',
    noun: 'subscriptions',
    keys: { id: ({ id }) => id, field: 'created', key: ({ created }) => created },
    columns: [
      { name: 'name', text: ({ name }) => safe(name) },
      { name: 'id', spare: 2, text: ({ id }, isTerminal) => (isTerminal ? shortId(id) : id) },
      { name: 'transport', text: ({ transport }) => safe(transport) },
      { name: 'acknowledged', text: ({ status }) => String(status?.currentOffset ?? '-') },
      { name: 'lag', text: ({ status }) => String(status?.lag ?? '-') },
      { name: 'connections', spare: 4, text: ({ status }) => String(status?.connections ?? '-') },
      ageColumn('created', ({ created }) => created, nowMs, 3),
      { name: 'filter', spare: 1, text: ({ filter }) => safe(wordsOf(filter)) },
    ],
  };
}

export function subscriptionText(subscription: Subscription): string {
  const { status } = subscription;
  return recordText([
    ['name', subscription.name],
    ['id', subscription.id],
    ['namespace', subscription.namespace],
    ['transport', subscription.transport],
    ['filter', wordsOf(subscription.filter) || 'none (all events)'],
    ['options', wordsOf(subscription.options)],
    ['created', subscription.created],
    ['updated', subscription.updated ?? undefined],
    ...(status === undefined
      ? []
      : ([
          ['acknowledged', `up to sequence ${status.currentOffset}`],
          ['lag', plural(status.lag, 'sequence')],
          ['in flight', plural(status.inFlight, 'event')],
          ['connections', String(status.connections)],
          ...failureRows(status.delivery),
        ] as const)),
  ]);
}

/** The failures of a webhook at the current event, or its last error. */
function failureRows(delivery: SubscriptionStatus['delivery']): readonly (readonly [string, string | undefined])[] {
  if (delivery === undefined) return [];
  const { failures, lastError, nextAttempt } = delivery;
  return [
    ['failures', failures === 0 ? undefined : `${failures} for the current event`],
    ['last error', lastError],
    ['next attempt', nextAttempt],
  ];
}

/** Formats an object as its leaves with their paths: `events=^message_ message.tag=order`. */
function wordsOf(object: JsonText): string {
  const known = leavesOf(valueOf(object)).filter(([, value]) => value !== null);
  return known.map(([path, value]) => `${path}=${String(value)}`).join(' ');
}
