import { createHash } from 'node:crypto';
import type { ContractCall, ContractLog } from '../../../ports/blockchain.js';
import type { QueryAnswer } from '../../../ports/contract-query.js';
import type { NewLog } from './contract.js';

/** A contract's response to a call: the logs of its event, or its error as text and as revert data. */
export type RuleAnswer =
  | { readonly logs: readonly Pick<ContractLog, 'topics' | 'data'>[]; readonly output: string }
  | { readonly reason: string; readonly data: string };

/** A contract of the ledger: its rules on its own state. */
export interface ContractRules {
  /** Makes a call. A refused call changes nothing. */
  call(sender: string, data: string): RuleAnswer;
  /** Undoes the last call that was not refused. */
  undo(): void;
}

/** The outcome of a contract call. */
export type ContractOutcome =
  { readonly logs: readonly NewLog[]; readonly contract?: string } | { readonly reason: string; readonly data: string };

/** The contracts besides `Network.sol`, by address. */
export interface MemoryAccounts {
  call(from: string, nonce: number, call: ContractCall): ContractOutcome;
  /** Undoes a call that was not refused. */
  undo(call: Pick<ContractCall, 'to'>): void;
  /** Dry-runs a call on the current state. */
  query(from: string, call: Pick<ContractCall, 'to' | 'data'>): QueryAnswer;
}

/**
 * Creates the contracts with known rules. An address without rules behaves like one without code: the call succeeds
 * without effect.
 */
export function createMemoryAccounts(contracts: ReadonlyMap<string, ContractRules>): MemoryAccounts {
  const rulesAt = (to: string | null): ContractRules | undefined => contracts.get(to ?? '');
  return {
    call(from, nonce, { to, data }) {
      if (to === null) return { logs: [], contract: addressAfter(from, nonce) };
      const answer = rulesAt(to)?.call(from, data) ?? { logs: [], output: '0x' };
      if ('reason' in answer) return answer;
      return { logs: answer.logs.map((log) => ({ type: 'contract_log', address: to, ...log })) };
    },

    undo: ({ to }) => rulesAt(to)?.undo(),

    query(from, { to, data }) {
      const rules = rulesAt(to);
      const answer = rules?.call(from, data) ?? { logs: [], output: '0x' };
      if ('reason' in answer) return { status: 'reverted', ...answer };
      rules?.undo();
      return { status: 'success', data: answer.output };
    },
  };
}

/** The address of a deployed contract, different for each key and nonce. */
function addressAfter(from: string, nonce: number): string {
  return `0x${createHash('sha256').update(`${from} ${nonce}`).digest('hex').slice(0, 40)}`;
}
