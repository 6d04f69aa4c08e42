import { type Static, Type } from '@sinclair/typebox';
import { type JsonText, Raw, Time, Uuid } from '../scalar.js';

/** One subscription of an open socket. */
const StartedSubscription = Type.Object({
  startTime: Time,
  ephemeral: Type.Boolean(),
  namespace: Type.String(),
  name: Type.Optional(Type.String({ description: 'of a durable one, which may not exist yet' })),
  filter: Type.Unsafe<JsonText>({ ...Raw, description: 'RE2 expressions by key, all must match' }),
  active: Type.Boolean({
    description: 'false: it is on standby for another connection, or waits for the subscription to exist',
  }),
});

/** An open socket, with its subscriptions in a namespace. */
const Connection = Type.Object({
  id: Uuid,
  remoteAddress: Type.String({ description: 'address:port' }),
  userAgent: Type.String(),
  subscriptions: Type.Array(StartedSubscription),
});

/** The event streams of a node (docs/api.md §15.5). */
export const Websockets = Type.Object({
  enabled: Type.Boolean(),
  connections: Type.Array(Connection),
});
export type Websockets = Static<typeof Websockets>;
