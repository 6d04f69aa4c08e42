import type { EventType } from '../../../src/wire/events/event.js';

const messages = ['messages', 'groups', 'data', 'batches', 'pins', 'charts'];
const tokens = ['pools', 'balances', 'transfers', 'approvals', 'accounts'];
const operations = ['operations', 'transactions'];

const subjects: Readonly<Record<EventType, readonly string[]>> = {
  message_confirmed: messages,
  message_rejected: messages,
  message_op_failed: [...messages, ...operations],
  message_op_waiting: [...messages, ...operations],
  datatype_confirmed: ['datatypes'],
  identity_confirmed: ['identities'],
  identity_updated: ['identities'],
  transaction_submitted: [...operations, ...messages],
  contract_interface_confirmed: ['interfaces'],
  contract_api_confirmed: ['apis'],
  token_pool_confirmed: tokens,
  token_pool_op_failed: [...tokens, ...operations],
  token_transfer_confirmed: tokens,
  token_transfer_op_failed: [...tokens, ...operations],
  token_approval_confirmed: tokens,
  token_approval_op_failed: [...tokens, ...operations],
  blockchain_event_received: ['blockchainevents', 'listeners'],
  blockchain_invoke_op_succeeded: operations,
  blockchain_invoke_op_failed: operations,
  blockchain_contract_deploy_op_succeeded: operations,
  blockchain_contract_deploy_op_failed: operations,
};

/** The subjects that a change of a collection touches. Some changes, such as a pending message, have no event. */
export function touchedByChange(collection: string): readonly string[] {
  if (collection === 'messages') return [...messages, 'status'];
  return collection === 'pools' ? tokens : [collection];
}

export function touchedBy(type: EventType): readonly string[] {
  return [...subjects[type], 'status', 'subscriptions'];
}
