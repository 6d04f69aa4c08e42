import { type Static, Type } from '@sinclair/typebox';
import { Raw, Time, Uuid } from '../scalar.js';

/** An event of a contract, recorded for a listener or a connector of this node (docs/api.md §20). */
export const BlockchainEvent = Type.Object({
  id: Uuid,
  source: Type.String({ description: 'its source: ethereum, or a token connector' }),
  namespace: Type.String(),
  name: Type.String(),
  listener: Type.Optional(Uuid),
  protocolId: Type.String({ description: 'block/transaction/log, zero-padded' }),
  output: Raw,
  info: Raw,
  timestamp: Time,
  tx: Type.Object({
    type: Type.Optional(Type.String()),
    id: Type.Optional(Uuid),
    blockchainId: Type.Optional(Type.String({ description: 'hash of the transaction of the chain' })),
  }),
});
export type BlockchainEvent = Static<typeof BlockchainEvent>;
