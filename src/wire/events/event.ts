import { type Static, Type } from '@sinclair/typebox';
import { BlockchainEvent } from '../contracts/blockchain-event.js';
import { ContractApi, ContractInterface } from '../contracts/contract.js';
import { Datatype } from '../data/datatype.js';
import { Identity } from '../identities/identity.js';
import { Message } from '../messages/message.js';
import { oneOf, Time, Uuid } from '../scalar.js';
import { TokenApproval, TokenPool, TokenTransfer } from '../token.js';
import { Operation, Transaction } from '../chain/transaction.js';

/** The types of events (docs/api.md §13). */
export const eventTypes = [
  'message_confirmed',
  'message_rejected',
  'message_op_failed',
  'message_op_waiting',
  'datatype_confirmed',
  'identity_confirmed',
  'identity_updated',
  'transaction_submitted',
  'contract_interface_confirmed',
  'contract_api_confirmed',
  'token_pool_confirmed',
  'token_pool_op_failed',
  'token_transfer_confirmed',
  'token_transfer_op_failed',
  'token_approval_confirmed',
  'token_approval_op_failed',
  'blockchain_event_received',
  'blockchain_invoke_op_succeeded',
  'blockchain_invoke_op_failed',
  'blockchain_contract_deploy_op_succeeded',
  'blockchain_contract_deploy_op_failed',
] as const;

export const EventType = oneOf(eventTypes);
export type EventType = Static<typeof EventType>;

/** An event as a subscription delivers it (docs/api.md §13.1). */
export const DeliveredEvent = Type.Object({
  id: Uuid,
  sequence: Type.Integer({ description: 'position in insertion order on this node' }),
  type: EventType,
  namespace: Type.String(),
  reference: Uuid,
  correlator: Type.Optional(Uuid),
  tx: Type.Optional(Uuid),
  topic: Type.Optional(Type.String()),
  created: Time,
  subscription: Type.Object({ id: Uuid, namespace: Type.String(), name: Type.String() }),
  error: Type.Optional(Type.String({ description: 'why the referenced record is not embedded' })),
  message: Type.Optional(Message),
  datatype: Type.Optional(Datatype),
  identity: Type.Optional(Identity),
  transaction: Type.Optional(Transaction),
  operation: Type.Optional(Operation),
  contractInterface: Type.Optional(ContractInterface),
  contractAPI: Type.Optional(ContractApi),
  tokenPool: Type.Optional(TokenPool),
  tokenTransfer: Type.Optional(TokenTransfer),
  tokenApproval: Type.Optional(TokenApproval),
  blockchainEvent: Type.Optional(BlockchainEvent),
});
export type DeliveredEvent = Static<typeof DeliveredEvent>;
