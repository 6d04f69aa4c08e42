import { type Static, Type } from '@sinclair/typebox';
import { Time } from '../scalar.js';

const Texts = Type.Record(Type.String(), Type.Unknown());
const Duration = Type.Union([Type.String(), Type.Integer({ minimum: 0 })], {
  description: 'milliseconds, or a duration such as 250ms, 30s or 1m',
});

/** Names of members of a message's first value, which must be an object (docs/api.md §16). */
export const WebhookInput = Type.Object({
  query: Type.Optional(Type.String({ description: 'member with further query parameters' })),
  headers: Type.Optional(Type.String({ description: 'member with further headers' })),
  body: Type.Optional(Type.String({ description: 'member that becomes the body' })),
  path: Type.Optional(Type.String({ description: 'member with a path below that of the url' })),
  replytx: Type.Optional(Type.String({ description: 'member with the txtype of the reply; true is batch_pin' })),
});

export const WebhookRetry = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'false: count is ignored, and calls are repeated without end' })),
  count: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'number of repeats before it gives up' }),
  ),
  initialDelay: Type.Optional(Duration),
  maxDelay: Type.Optional(Duration),
});

/**
 * Every call opens its own connection, to an address that was checked for it. No connection is kept idle and no
 * 100-continue is used, so three of these options have no effect. A proxy is refused, since it would connect to
 * unchecked addresses.
 */
export const WebhookHttpOptions = Type.Object({
  requestTimeout: Type.Optional(Duration),
  connectionTimeout: Type.Optional(Duration),
  tlsHandshakeTimeout: Type.Optional(Duration),
  expectContinueTimeout: Type.Optional(Duration),
  idleTimeout: Type.Optional(Duration),
  maxIdleConns: Type.Optional(Type.Integer({ minimum: 0 })),
  proxyURL: Type.Optional(Type.String({ description: 'refused: a proxy would connect to unchecked addresses' })),
});

/** The options of a webhook in addition to those of every subscription (docs/api.md §16). */
export const WebhookOptions = Type.Object({
  url: Type.Optional(Type.String({ description: 'http or https; required' })),
  method: Type.Optional(Type.String({ description: 'POST, the default, or GET, PUT, PATCH, DELETE, HEAD' })),
  headers: Type.Optional(Texts),
  query: Type.Optional(Texts),
  json: Type.Optional(Type.Boolean({ description: 'read the reply as JSON, whatever its content type' })),
  fastack: Type.Optional(Type.Boolean({ description: 'acknowledge before the call: no order, no repeats' })),
  reply: Type.Optional(
    Type.Boolean({ description: 'answer a message with a message that contains the reply of the webhook' }),
  ),
  replytag: Type.Optional(Type.String({ description: 'tag of that message' })),
  replytx: Type.Optional(Type.String({ description: 'its txtype: batch_pin, the default, or none' })),
  input: Type.Optional(WebhookInput),
  retry: Type.Optional(WebhookRetry),
  httpOptions: Type.Optional(WebhookHttpOptions),
  tlsConfigName: Type.Optional(Type.String({ description: 'refused: a node has no named TLS configurations' })),
});
export type WebhookOptions = Static<typeof WebhookOptions>;

/** The part of a request with these options; errors name members by their path from here. */
export const WithWebhookOptions = Type.Object({ options: WebhookOptions });

/** The names of options that only webhooks have. */
export const webhookOptionNames: readonly string[] = Object.keys(WebhookOptions.properties);

/** The delivery status of a webhook (docs/api.md §14.1). */
export const DeliveryStatus = Type.Object({
  failures: Type.Integer({ description: 'of the call that is tried now, in a row' }),
  lastError: Type.Optional(Type.String()),
  nextAttempt: Type.Optional(Time),
});
export type DeliveryStatus = Static<typeof DeliveryStatus>;
