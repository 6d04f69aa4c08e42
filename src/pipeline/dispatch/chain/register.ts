import { assert } from '../../../domain/invariant.js';
import type { ChainCall } from '../../../ports/blockchain.js';
import type { RunOperation } from '../../operations/attempt.js';
import type { CallChain } from './chain-call.js';

/** Ten coins of the chain's currency: enough for some tens of thousands of pins. */
const grantWei = `1${'0'.repeat(19)}`;
const transferGas = 21_000;

/** Calls the registry. All nodes receive the result as an event of the chain. */
export function createRegisterIdentity({ callChain }: { readonly callChain: CallChain }): RunOperation {
  return (operation) =>
    callChain(operation, { call: async () => registryCall(operation.input), write: async () => ['members'] });
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
