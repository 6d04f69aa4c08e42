import { Interface, toUtf8Bytes } from 'ethers';
import { tokenPoolsAbi } from '../../src/domain/tokens/contracts.js';
import type { ContractLog } from '../../src/ports/blockchain.js';

const contract = new Interface(tokenPoolsAbi);

export const contractAddress = `0x${'d'.repeat(40)}`;
export const nobody = `0x${'0'.repeat(40)}`;

/** One transaction of the pools' contract. */
export interface Step {
  readonly block: number;
  readonly operator: string;
  readonly data?: string;
  readonly uri?: string;
  /** Hash of the transaction; by default derived from the block. */
  readonly hash?: string;
}

/** Token id in a pool of the contract; `index` is 0 for fungible pools. */
export function tokenId(counter: number, type: 'fungible' | 'nonfungible', index = 0): bigint {
  return (type === 'nonfungible' ? 1n << 255n : 0n) | (BigInt(counter) << 128n) | BigInt(index);
}

/** The logs of a mint, transfer or burn, including the one with its data. */
export function transferLogs(
  step: Step,
  { from = nobody, to = nobody, id, value }: { from?: string; to?: string; id: bigint; value: bigint },
): ContractLog[] {
  return logsOf(step, [
    ['TransferSingle', [step.operator, from, to, id, value]],
    ['TransferData', [step.operator, toUtf8Bytes(step.data ?? ''), step.uri ?? '']],
  ]);
}

/** The logs of several tokens minted to one recipient. */
export function mintLogs(step: Step, to: string, ids: readonly bigint[]): ContractLog[] {
  return logsOf(step, [
    ['TransferBatch', [step.operator, nobody, to, ids, ids.map(() => 1n)]],
    ['TransferData', [step.operator, toUtf8Bytes(step.data ?? ''), step.uri ?? '']],
  ]);
}

export function approvalLogs(step: Step, operator: string, approved: boolean): ContractLog[] {
  return logsOf(step, [
    ['ApprovalForAll', [step.operator, operator, approved]],
    ['ApprovalData', [toUtf8Bytes(step.data ?? '')]],
  ]);
}

function logsOf({ block, hash }: Step, events: readonly (readonly [string, readonly unknown[]])[]): ContractLog[] {
  return events.map(([name, values], logIndex) => {
    const { topics, data } = contract.encodeEventLog(name, values);
    return {
      type: 'contract_log',
      address: contractAddress,
      topics,
      data,
      position: { block, transactionIndex: 0, logIndex },
      transactionHash: hash ?? block.toString(16).padStart(64, '0'),
      time: `2026-01-15T10:00:00.${String(block).padStart(3, '0')}Z`,
    };
  });
}
