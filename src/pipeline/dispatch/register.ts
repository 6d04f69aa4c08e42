import { assert } from '../../domain/invariant.js';
import type { ChainCall, KeyCall, NodeCall } from '../../ports/blockchain.js';
import type { NewRow } from '../../ports/tables.js';
import type { RunOperation } from '../operations/attempt.js';
import { keyLane, newOperation, type OperationSubject } from '../operations/operation.js';
import type { CallChain } from './chain-call.js';

/** A change of this member's entry in the registry, as the operation's input. */
export type RegistryCall = KeyCall | NodeCall | FundCall;

/** Sends a key the funds that it needs for pins. */
interface FundCall {
  readonly type: 'fund_key';
  readonly key: string;
}

/** Ten coins of the chain's currency: enough for some tens of thousands of pins. */
const grantWei = `1${'0'.repeat(19)}`;
const transferGas = 21_000;

/** Calls the registry. The result comes back to all nodes as an event of the chain. */
export function createRegisterIdentity({ callChain }: { readonly callChain: CallChain }): RunOperation {
  return (operation) =>
    callChain(operation, { call: async () => registryCall(operation.input), write: async () => ['members'] });
}

/** Returns the operation of a registry call, in the lane of the member's signing key. */
export function newRegistryOperation(parts: {
  readonly id: string;
  readonly created: string;
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
