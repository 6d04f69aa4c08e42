import type { KeyCall, NodeCall } from '../../ports/blockchain.js';
import type { NewRow } from '../../ports/tables/tables.js';
import { keyLane, newOperation, type OperationSubject } from './operation.js';

/** A change of this member's entry in the registry, as the operation's input. */
export type RegistryCall = KeyCall | NodeCall | FundCall;

/** Sends a key the funds that it needs for pins. */
interface FundCall {
  readonly type: 'fund_key';
  readonly key: string;
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
