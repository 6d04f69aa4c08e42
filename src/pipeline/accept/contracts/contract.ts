import { type ApiAcceptance, type ApiParts, createApiAcceptance } from './api.js';
import { type CallAcceptance, type CallParts, createCallAcceptance } from './call.js';
import { createInterfaceAcceptance, type InterfaceAcceptance, type InterfaceParts } from './interface.js';

/** Accepts requests about users' contracts: interfaces, APIs and calls (docs/api.md §20). */
export interface ContractAcceptance extends InterfaceAcceptance, ApiAcceptance, CallAcceptance {}

export interface ContractParts extends InterfaceParts, ApiParts, CallParts {}

export function createContractAcceptance(parts: ContractParts): ContractAcceptance {
  return {
    ...createInterfaceAcceptance(parts),
    ...createApiAcceptance(parts),
    ...createCallAcceptance(parts),
  };
}
