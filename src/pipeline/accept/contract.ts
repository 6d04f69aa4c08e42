import { type ApiAcceptance, type ApiParts, createApiAcceptance } from './contract-api.js';
import { type CallAcceptance, type CallParts, createCallAcceptance } from './contract-call.js';
import { createInterfaceAcceptance, type InterfaceAcceptance, type InterfaceParts } from './contract-interface.js';

/** Takes in what concerns contracts of users: interfaces, APIs and calls (docs/api.md §20). */
export interface ContractAcceptance extends InterfaceAcceptance, ApiAcceptance, CallAcceptance {}

export interface ContractParts extends InterfaceParts, ApiParts, CallParts {}

/** Creates the acceptance of interfaces, APIs and calls on a node. */
export function createContractAcceptance(parts: ContractParts): ContractAcceptance {
  return {
    ...createInterfaceAcceptance(parts),
    ...createApiAcceptance(parts),
    ...createCallAcceptance(parts),
  };
}
