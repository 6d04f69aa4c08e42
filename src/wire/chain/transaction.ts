import { type Static, Type } from '@sinclair/typebox';
import { nullable, oneOf, Raw, Time, Uuid } from '../scalar.js';

/** A transaction, which groups operations (docs/api.md §18.1). */
export const Transaction = Type.Object({
  id: Uuid,
  namespace: Type.String(),
  type: Type.String(),
  created: Time,
  idempotencyKey: Type.Optional(Type.String()),
  blockchainIds: Type.Optional(Type.Array(Type.String({ description: 'hash of a transaction of the chain' }))),
});
export type Transaction = Static<typeof Transaction>;

/** An operation: a piece of work outside the node (docs/api.md §18.2). */
export const Operation = Type.Object({
  id: Uuid,
  namespace: Type.String(),
  tx: Uuid,
  type: Type.String(),
  status: oneOf(['Initialized', 'Pending', 'Succeeded', 'Failed']),
  plugin: Type.String(),
  input: Type.Optional(Raw),
  output: Type.Optional(Raw),
  error: Type.Optional(Type.String()),
  created: Time,
  updated: Time,
  retry: Type.Optional(Uuid),
  detail: Type.Optional(
    Type.Object({
      lane: Type.String({ description: 'the queue in which it runs' }),
      nonce: nullable(Type.Integer({ description: 'of the call of the chain' })),
      attempts: Type.Optional(Type.Integer({ description: 'since the start of the node, while it has not ended' })),
      nextAttempt: Type.Optional(Time),
      receipt: Type.Optional(
        Type.Object({
          transactionHash: Type.String(),
          blockNumber: Type.Integer(),
          extraInfo: Type.Optional(
            Type.Object({ contractAddress: Type.String() }, { description: 'of a deployment, where FireFly has it' }),
          ),
        }),
      ),
    }),
  ),
});
export type Operation = Static<typeof Operation>;

const Outcome = oneOf(['Pending', 'Succeeded', 'Failed']);

/** The status of a transaction, part by part (docs/api.md §18.1). */
export const TransactionStatus = Type.Object({
  status: Outcome,
  details: Type.Array(
    Type.Object({
      type: oneOf(['Operation', 'BlockchainEvent', 'Batch', 'TokenPool', 'TokenTransfer', 'TokenApproval']),
      subtype: Type.Optional(Type.String()),
      status: Outcome,
      timestamp: Type.Optional(Time),
      id: Type.Optional(Uuid),
      error: Type.Optional(Type.String()),
      info: Type.Optional(Raw),
    }),
  ),
});
export type TransactionStatus = Static<typeof TransactionStatus>;

/** One time interval of a chart; its counts are texts (docs/api.md §21.3). */
export const HistogramBucket = Type.Object({
  count: Type.String(),
  timestamp: Time,
  types: Type.Array(Type.Object({ count: Type.String(), type: Type.String() })),
  isCapped: Type.Boolean({ description: 'whether there may be more than were counted' }),
});
export type HistogramBucket = Static<typeof HistogramBucket>;
