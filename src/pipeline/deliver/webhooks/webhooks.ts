import { readWebhook } from '../../../domain/events/webhook.js';
import type { ProfileRules } from '../../../domain/network/profile.js';
import type { Database } from '../../../ports/database.js';
import type { SubscriptionRow } from '../../../ports/tables/messaging-tables.js';
import { above, every } from '../../../ports/tables/where.js';
import type { DeliveryStatus } from '../../../wire/events/webhook.js';
import type { Bus } from '../../bus.js';
import { createLoop, type Step } from '../../loop.js';
import type { Attachment, Delivery } from '../delivery.js';
import { createWebhookSubscriber, type WebhookParts, type WebhookSubscriber } from './webhook.js';

export interface Webhooks {
  start(): void;
  /** Aborts calls in progress; their events are not acknowledged and are sent again. */
  stop(): Promise<void>;
  isIdle(): boolean;
  /** The delivery status of a subscription's webhook; undefined if it has none. */
  statusOf(id: string): DeliveryStatus | undefined;
}

export interface WebhooksParts extends WebhookParts {
  readonly delivery: Delivery;
  readonly bus: Bus;
  readonly profileRules: ProfileRules;
}

interface Attached {
  readonly row: SubscriptionRow;
  readonly subscriber: WebhookSubscriber;
  readonly attachment: Attachment;
}

const maxPage = 1_000;

/**
 * Keeps a webhook attached to each durable subscription that has one. When the options or the maker change, the call in
 * progress is aborted and repeated with the new ones.
 */
export function createWebhooks(parts: WebhooksParts): Webhooks {
  const { database, delivery } = parts;
  const all = new Map<string, Attached>();

  async function step(signal: AbortSignal): Promise<Step> {
    const rows = await readRows(database);
    for (const each of all.values()) {
      const row = rows.get(each.row.id);
      const isSame = row?.options === each.row.options && row.maker === each.row.maker;
      if (!isSame || each.subscriber.hasEnded()) await detach(each);
    }
    const failures: unknown[] = [];
    for (const row of rows.values()) {
      if (all.has(row.id) || signal.aborted) continue;
      // A webhook that cannot be attached must not prevent others from being attached.
      await attach(row).then(
        (each) => all.set(row.id, each),
        (error: unknown) => failures.push(error),
      );
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Webhooks cannot be attached');
    return { hasWorked: false, rings: [] };
  }

  async function attach(row: SubscriptionRow): Promise<Attached> {
    const { id: subscription, maker, namespace, name, options } = row;
    const settings = readWebhook(options, parts.profileRules);
    const subscriber = createWebhookSubscriber(parts, { subscription, maker, settings });
    const request = { namespace, name, transport: 'webhooks', options, isAutoack: false, subscriber } as const;
    const attachment = await delivery.attach(request);
    subscriber.attached(attachment);
    return { row, subscriber, attachment };
  }

  async function detach({ row, subscriber, attachment }: Attached): Promise<void> {
    all.delete(row.id);
    subscriber.end();
    await attachment.close();
  }

  const loop = createLoop({ name: 'webhooks', bell: 'subscriptions', step, ...parts });
  return {
    start: loop.start,
    async stop() {
      for (const { subscriber } of all.values()) subscriber.end();
      await loop.stop();
      await Promise.all([...all.values()].map(detach));
    },
    isIdle: () => loop.isIdle() && [...all.values()].every(({ subscriber }) => subscriber.isIdle()),
    statusOf: (id) => all.get(id)?.subscriber.status(),
  };
}

async function readRows(database: Database): Promise<ReadonlyMap<string, SubscriptionRow>> {
  const rows = new Map<string, SubscriptionRow>();
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: readonly SubscriptionRow[] = await database.rows(
      'subscriptions',
      { namespace: every, transport: 'webhooks', sequence: above(after) },
      { limit: maxPage },
    );
    for (const row of page) rows.set(row.id, row);
    after = page.length === maxPage ? page.at(-1)?.sequence : undefined;
  }
  return rows;
}
