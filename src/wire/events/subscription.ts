import { type Static, Type } from '@sinclair/typebox';
import { type JsonText, nameRule, nullable, oneOf, Raw, Time, Uuid } from '../scalar.js';
import { DeliveryStatus } from './webhook.js';

const Filter = Type.Unsafe<JsonText>({
  ...Raw,
  description: 'RE2 expressions, all must match: events, topic, message.tag, … nested or with dots',
});
const Options = Type.Unsafe<JsonText>({
  ...Raw,
  description:
    'firstEvent (shown as the sequence after which it begins, beside firstEventGiven), readAhead (n allows one event ' +
    'more in hand), withData (default false: the event with its message, without values; true on webhooks: the ' +
    'values instead), batch, batchTimeout; those of webhooks too',
});

/** The delivery status of a durable subscription (docs/api.md §14.1). */
export const SubscriptionStatus = Type.Object({
  currentOffset: Type.Integer({ description: 'sequence up to which every event is acknowledged or does not match' }),
  connections: Type.Integer({ description: 'one of them is active, the others are on standby' }),
  inFlight: Type.Integer({ description: 'events delivered and not acknowledged yet' }),
  lag: Type.Integer({ description: 'sequences between its offset and the newest event of this node' }),
  delivery: Type.Optional(DeliveryStatus),
});
export type SubscriptionStatus = Static<typeof SubscriptionStatus>;

/** A durable subscription (docs/api.md §14.1). */
export const Subscription = Type.Object({
  id: Uuid,
  namespace: Type.String(),
  name: Type.String({ description: 'unique within the namespace' }),
  transport: oneOf(['websockets', 'webhooks']),
  filter: Filter,
  options: Options,
  ephemeral: Type.Boolean({ description: 'false: ephemeral ones are not listed' }),
  created: Time,
  updated: nullable(Time),
  status: Type.Optional(SubscriptionStatus),
});
export type Subscription = Static<typeof Subscription>;

/** The request that creates a subscription. */
export const SubscriptionRequest = Type.Object({
  transport: Type.Optional(Type.String({ description: 'websockets (default) or webhooks' })),
  name: Type.String({ description: nameRule }),
  filter: Type.Optional(Filter),
  options: Type.Optional(Options),
});
export type SubscriptionRequest = Static<typeof SubscriptionRequest>;
