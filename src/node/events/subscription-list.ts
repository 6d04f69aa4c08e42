import { readFilter } from '../../domain/events/filter.js';
import { maxSubscriptions } from '../../pipeline/accept/events/subscription.js';
import type { Activity } from '../../pipeline/deliver/delivery.js';
import type { Database } from '../../ports/database.js';
import type { SubscriptionRow } from '../../ports/tables/messaging-tables.js';
import { every } from '../../ports/tables/where.js';
import { valueOf } from '../../wire/json/json.js';
import type { Subscription, SubscriptionStatus } from '../../wire/events/subscription.js';
import type { DeliveryStatus } from '../../wire/events/webhook.js';
import type { Derived } from '../lists/collection.js';

/** Live state of durable subscriptions, by id. */
export interface SubscriptionActivity {
  /** `undefined` if no client is connected to it. */
  readonly activityOf: (id: string) => Activity | undefined;
  /** The delivery state of a webhook. */
  readonly deliveryOf?: ((id: string) => DeliveryStatus | undefined) | undefined;
}

/** The durable subscriptions of a namespace, with their live state if requested (docs/api.md §14.1). */
export async function readSubscriptions(
  database: Database,
  { namespace, activity }: { readonly namespace: string; readonly activity: SubscriptionActivity | undefined },
): Promise<Derived<Subscription>[]> {
  const rows = await database.rows('subscriptions', { namespace }, { limit: maxSubscriptions });
  const newest = activity === undefined || rows.length === 0 ? 0 : await newestSequence(database);
  return rows.map((row) => ({
    ...row,
    events: readFilter(valueOf(row.filter)).get('events') ?? null,
    shown: {
      ...subscriptionRecord(row),
      ...(activity !== undefined && { status: statusOf(row, { activity, newest }) }),
    },
  }));
}

/** Builds the record of a durable subscription (docs/api.md §14.1). */
export function subscriptionRecord(row: SubscriptionRow): Subscription {
  const { id, namespace, name, transport, filter, options, created, updated } = row;
  return { id, namespace, name, transport, filter, options, ephemeral: false, created, updated };
}

function statusOf(
  { id, cursor, transport }: SubscriptionRow,
  { activity, newest }: { readonly activity: SubscriptionActivity; readonly newest: number },
): SubscriptionStatus {
  const { currentOffset, connections, inFlight } = activity.activityOf(id) ?? {
    currentOffset: cursor,
    connections: 0,
    inFlight: 0,
  };
  const delivery = transport === 'webhooks' ? activity.deliveryOf?.(id) : undefined;
  const lag = Math.max(0, newest - Math.max(0, currentOffset));
  return { currentOffset, connections, inFlight, lag, ...(delivery !== undefined && { delivery }) };
}

async function newestSequence(database: Database): Promise<number> {
  const newest = await database.last('events', { namespace: every });
  return newest?.sequence ?? 0;
}
