import type { ContractLog } from '../../ports/blockchain.js';
import { addressOf, createNeighbours, dataOf, decodeWords, textOfBytes } from './words.js';

/** The hash of `TransferData(address,bytes,string)`. */
export const transferDataTopic = '0xa996aa4e75baa649928e6f8b8d1073c199ee7ce94079050d93730961ce6bac31';
/** The hash of `ApprovalData(bytes)`. */
export const approvalDataTopic = '0x776320b871fe44f54e5e615ba0ef1aedafa0bfaeda94aaa6ba04a104ae42de82';

/** The data event that Parley's contracts emit after a transfer. */
export interface TransferData {
  /** The caller. */
  readonly operator: string;
  readonly data: string | undefined;
  /** The URI of new non-fungible tokens; otherwise empty. */
  readonly uri: string;
}

export interface OperationData {
  /** Undefined if the contract emits no data event, as foreign ones do not. */
  ofTransfer(log: ContractLog): TransferData | undefined;
  ofApproval(log: ContractLog): string | undefined;
}

/**
 * Finds the data of operations, which Parley's contracts emit directly after the standard event
 * (docs/protocol.md §13.2).
 */
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
