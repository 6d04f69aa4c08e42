import { type Static, Type } from '@sinclair/typebox';
import { Address, nullable, oneOf, Time, Uuid } from '../scalar.js';

const Registration = Type.Object({ status: oneOf(['registered', 'unregistered']), id: Type.Optional(Uuid) });

/** The registration of this node and its organisation (docs/api.md §21.3). */
export const MultipartyStatus = Type.Object({
  enabled: Type.Literal(true),
  org: Registration,
  node: Registration,
  contracts: Type.Object({
    active: Type.Object({
      index: Type.Integer(),
      location: Type.Object({ address: Address }),
      firstEvent: Type.String(),
      info: Type.Object({ subscription: Type.String(), version: Type.Integer() }),
    }),
  }),
});
export type MultipartyStatus = Static<typeof MultipartyStatus>;

/** The state of the batch processors (docs/api.md §21.3). */
export const BatchProcessors = Type.Object({
  processors: Type.Array(
    Type.Object({
      dispatcher: oneOf(['pinned_broadcast', 'pinned_private']),
      name: Type.String(),
      status: Type.Object({
        lastFlushStartTime: nullable(Time),
        flushing: Type.Optional(Uuid),
        cancelled: Type.Boolean(),
        blocked: Type.Boolean({ description: 'its pin has failed: cancel the batch or try again' }),
        lastFlushError: Type.Optional(Type.String()),
        lastFlushErrorTime: Type.Optional(Time),
        averageBatchBytes: Type.Optional(Type.Number({ description: 'of payloads, since the start of the node' })),
        averageBatchMessages: Type.Optional(Type.Number()),
        averageBatchData: Type.Optional(Type.Number({ description: 'data items' })),
        averageFlushTimeMS: Type.Optional(Type.Number({ description: 'from the selection of messages to the disk' })),
        totalBatches: Type.Integer(),
        totalErrors: Type.Integer(),
      }),
    }),
  ),
});
export type BatchProcessors = Static<typeof BatchProcessors>;
