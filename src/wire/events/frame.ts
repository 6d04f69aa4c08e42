import { type Static, Type } from '@sinclair/typebox';
import { nullable } from '../scalar.js';

/** Identifies a subscription of a socket; all given members must agree. */
export const SubscriptionReference = Type.Object({
  id: Type.Optional(nullable(Type.String())),
  namespace: Type.Optional(nullable(Type.String())),
  name: Type.Optional(nullable(Type.String())),
});
export type SubscriptionReference = Static<typeof SubscriptionReference>;

/** Starts a subscription on an open socket (docs/api.md §15.2); members may be null or empty, as in a request. */
export const StartFrame = Type.Object({
  type: Type.Literal('start'),
  namespace: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  ephemeral: Type.Optional(Type.Boolean()),
  autoack: Type.Optional(Type.Boolean()),
  filter: Type.Optional(Type.Unknown()),
  options: Type.Optional(Type.Unknown()),
});
export type StartFrame = Static<typeof StartFrame>;

/** Acknowledges one event or one batch, and no earlier ones (docs/api.md §15.2). */
export const AckFrame = Type.Object({
  type: Type.Literal('ack'),
  id: Type.Optional(nullable(Type.String())),
  subscription: Type.Optional(nullable(SubscriptionReference)),
});
export type AckFrame = Static<typeof AckFrame>;

/** Any frame from a client of an event stream; its type decides which members it must have. */
export const ClientFrame = Type.Object({
  ...StartFrame.properties,
  ...AckFrame.properties,
  type: Type.Unknown(),
});

export const ProtocolError = Type.Object({ type: Type.Literal('protocol_error'), error: Type.String() });
export type ProtocolError = Static<typeof ProtocolError>;

/**
 * Notifies a client that collections of a namespace may have new rows without an event, such as a pending message. Sent
 * only to clients that requested `changes`.
 */
export const ChangesFrame = Type.Object({
  type: Type.Literal('changes'),
  namespace: Type.String(),
  collections: Type.Array(Type.String()),
});
export type ChangesFrame = Static<typeof ChangesFrame>;

/** Starts the notifications of the stream for services beside a node, replacing earlier ones (docs/api.md §21.4). */
export const ServiceStart = Type.Object({
  type: Type.Literal('start'),
  collections: Type.Optional(nullable(Type.Array(Type.String()))),
  filter: Type.Optional(
    nullable(
      Type.Object({
        types: Type.Optional(nullable(Type.Array(Type.String()))),
        namespaces: Type.Optional(nullable(Type.Array(Type.String()))),
      }),
    ),
  ),
});
export type ServiceStart = Static<typeof ServiceStart>;

/** Notifies a service of a new event of the node. */
export const ServiceFrame = Type.Object({
  collection: Type.Literal('events'),
  type: Type.Literal('created'),
  namespace: Type.String(),
  id: Type.String(),
  sequence: Type.Integer(),
});

/**
 * Errors of the event stream; they have no HTTP status (docs/api.md §15.4). FF10462 is an exception, since a handshake
 * can have the same error: it is `wrong_namespace` in `wire/errors/error-table.ts`.
 */
export const frameErrors = {
  not_active: 'FF10173: The subscription was deleted, or no longer uses WebSockets.',
  ack_matches_nothing: 'FF10175: The acknowledgement matches no event in flight.',
  ack_ambiguous:
    'FF10175: The acknowledgement matches no subscription, or several; name it by "subscription": {"id": …}.',
  not_json: 'FF10176: A frame must be one JSON object in text.',
  unknown_type: 'FF10177: The type of a frame must be start or ack.',
  bad_service_start: 'FF10178: A service starts with {"type":"start","collections":["events"],"filter":{…}}.',
  autoack_differs: 'FF10179: autoack must be the same for all subscriptions of a socket.',
} as const;

/** The error for a refused `start` frame. `problem` begins with the code of the underlying error. */
export function badStart(problem: string): string {
  return `FF10178: The subscription cannot be started: ${problem}`;
}
