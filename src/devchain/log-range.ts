import { RpcError, rpcCodes } from './rpc/rpc-error.js';

const quantity = /^0x[0-9a-f]+$/i;
const tagsOfHead = new Set<unknown>(['latest', 'pending', 'safe', 'finalized']);

/**
 * Limits the range of a log filter to the head of the chain: the engine visits every number of a range, even without
 * such a block, and answers nothing else meanwhile. Returns undefined if the range begins after the head.
 *
 * @throws RpcError if `toBlock` is neither a quantity nor a tag
 */
export function endAtHead(head: number, [filter, ...others]: readonly unknown[]): readonly unknown[] | undefined {
  if (typeof filter !== 'object' || filter === null || !('toBlock' in filter)) return [filter, ...others];
  const last = blockNumberOf('toBlock', filter.toBlock);
  if (last === undefined || last <= head) return [filter, ...others];
  const fromBlock: unknown = 'fromBlock' in filter ? filter.fromBlock : undefined;
  const isAhead = typeof fromBlock === 'string' && quantity.test(fromBlock) && BigInt(fromBlock) > head;
  return isAhead ? undefined : [{ ...filter, toBlock: `0x${head.toString(16)}` }, ...others];
}

/**
 * Parses a bound of a range; undefined for a bound that follows the head.
 *
 * @throws RpcError if it is neither a quantity nor a tag
 */
export function blockNumberOf(name: 'fromBlock' | 'toBlock', given: unknown): number | undefined {
  if (given === null || given === undefined || tagsOfHead.has(given)) return undefined;
  if (given === 'earliest') return 0;
  if (typeof given === 'string' && quantity.test(given)) return Number(given);
  throw new RpcError(rpcCodes.invalidParams, `${name} must be 0x and hexadecimal digits, or a tag such as "latest".`);
}
