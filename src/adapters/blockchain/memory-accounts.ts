import { createHash } from 'node:crypto';
import type { ContractCall, ContractLog, QueryAnswer } from '../../ports/blockchain.js';
import type { NewLog } from './memory-contract.js';

/** What a contract says of a call: the logs of its event, or its error in words and as it reverts with it. */
export type RuleAnswer =
  | { readonly logs: readonly Pick<ContractLog, 'topics' | 'data'>[]; readonly output: string }
  | { readonly reason: string; readonly data: string };

/** A contract of the ledger: its rules on a state of its own. */
export interface ContractRules {
  /** Makes a call. One that is refused has changed nothing. */
  call(sender: string, data: string): RuleAnswer;
  /** Takes back the last call that was not refused. */
  undo(): void;
}

/** What a call of any contract came to. */
export type ContractOutcome =
  { readonly logs: readonly NewLog[]; readonly contract?: string } | { readonly reason: string; readonly data: string };

/** The contracts beside `Network.sol`, by their addresses. */
export interface MemoryAccounts {
  call(from: string, nonce: number, call: ContractCall): ContractOutcome;
  /** Takes back a call that was not refused. */
  undo(call: Pick<ContractCall, 'to'>): void;
  /** What a call would answer, now. */
  query(from: string, call: Pick<ContractCall, 'to' | 'data'>): QueryAnswer;
}

/**
 * Runs calls of contracts whose rules it has. Where it has none it does what a chain does for an address without code:
 * nothing, with success.
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

/** Where a contract comes to stand: another place for each key and nonce. */
function addressAfter(from: string, nonce: number): string {
  return `0x${createHash('sha256').update(`${from} ${nonce}`).digest('hex').slice(0, 40)}`;
}
