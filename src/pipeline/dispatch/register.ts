import { assert } from '../../domain/invariant.js';
import type { ChainCall, KeyCall, NodeCall } from '../../ports/blockchain.js';
import type { NewRow } from '../../ports/tables.js';
import type { RunOperation } from '../operations/attempt.js';
import { keyLane, newOperation, type OperationSubject } from '../operations/operation.js';
import type { CallChain } from './chain-call.js';

/** A change of this member's own entry in the registry, as the operation's input has it. */
export type RegistryCall = KeyCall | NodeCall | FundCall;

/** The transfer that a key needs before it can pin: funds from the organisation. */
interface FundCall {
  readonly type: 'fund_key';
  readonly key: string;
}

/** Ten of the chain's coin: what a key's calls cost in some tens of thousands of batches. */
const grantWei = `1${'0'.repeat(19)}`;
const transferGas = 21_000;

/** Calls the registry. What follows from it comes back as an event of the chain, to all nodes alike. */
export function createRegisterIdentity({ callChain }: { readonly callChain: CallChain }): RunOperation {
  return (operation) =>
    callChain(operation, { call: async () => registryCall(operation.input), write: async () => ['members'] });
}

/** The operation that calls the registry with the member's signing key, behind whatever that key has on its way. */
export function newRegistryOperation(parts: {
  readonly id: string;
  readonly created: string;
  /** Its signer is the member's signing key. */
  readonly subject: OperationSubject;
  readonly call: RegistryCall;
}): NewRow<'operations'> {
  const { call, ...rest } = parts;
  return newOperation({
    ...rest,
    type: 'blockchain_register_identity',
    lane: keyLane(parts.subject.signer),
    input: { ...call },
  });
}

function registryCall(input: Readonly<Record<string, unknown>>): ChainCall {
  const { type, name, key, isOrganization, endpoint, publicKeyHash } = input;
  if (type === 'fund_key' && typeof key === 'string') {
    return { type: 'contract', to: key, data: '0x', gas: transferGas, value: grantWei };
  }
  if (type === 'add_key' && typeof name === 'string' && typeof key === 'string') {
    return { type, name, key, ...(isOrganization === true && { isOrganization }) };
  }
  assert(type === 'set_node' && typeof endpoint === 'string', 'the input of a call of the registry is such a call');
  assert(typeof publicKeyHash === 'string', 'the input of a call of the registry is such a call');
  return { type, endpoint, publicKeyHash };
}
