import { id } from 'ethers';
import type { ContractLog } from '../../ports/blockchain.js';
import { addressOf, createNeighbours, dataOf, decodeWords, textOfBytes } from './words.js';

export const transferDataTopic = id('TransferData(address,bytes,string)');
export const approvalDataTopic = id('ApprovalData(bytes)');

/** What our contracts say behind a transfer. */
export interface TransferData {
  /** Who called. */
  readonly operator: string;
  readonly data: string | undefined;
  /** Of new non-fungible tokens; empty of everything else. */
  readonly uri: string;
}

export interface OperationData {
  /** Undefined where the contract says nothing: it is somebody else's. */
  ofTransfer(log: ContractLog): TransferData | undefined;
  ofApproval(log: ContractLog): string | undefined;
}

/** Finds the data of operations: our contracts emit it directly behind the standard event (S §15.6). */
export function createOperationData(logs: readonly ContractLog[]): OperationData {
  const neighbour = createNeighbours(logs);
  return {
    ofTransfer(log) {
      const next = neighbour(log, transferDataTopic);
      const words = next && decodeWords(['bytes', 'bytes'], next.data);
      if (words === undefined) return undefined;
      return { operator: addressOf(next?.topics[1]), data: dataOf(words[0]), uri: textOfBytes(String(words[1])) };
    },

    ofApproval(log) {
      const next = neighbour(log, approvalDataTopic);
      return next && dataOf(decodeWords(['bytes'], next.data)?.[0] ?? '0x');
    },
  };
}
