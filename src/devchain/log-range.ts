import { RpcError, rpcCodes } from './rpc/rpc-error.js';

const quantity = /^0x[0-9a-f]+$/i;
const tags = new Set<unknown>(['earliest', 'latest', 'pending', 'safe', 'finalized']);

/**
 * Ends the range of a log filter at the head of the chain: the engine looks at every number of a range, whether there
 * is such a block or not, and answers nothing else meanwhile. Returns undefined if the range begins behind the head.
 *
 * @throws RpcError if `toBlock` is neither a quantity nor a tag
 */
export function endAtHead(head: number, [filter, ...others]: readonly unknown[]): readonly unknown[] | undefined {
  if (typeof filter !== 'object' || filter === null || !('toBlock' in filter)) return [filter, ...others];
  const { toBlock } = filter;
  if (toBlock === null || toBlock === undefined || tags.has(toBlock)) return [filter, ...others];
  if (typeof toBlock !== 'string' || !quantity.test(toBlock)) {
    throw new RpcError(rpcCodes.invalidParams, 'toBlock is 0x and hexadecimal digits, or a tag such as "latest".');
  }
  if (BigInt(toBlock) <= head) return [filter, ...others];
  const fromBlock: unknown = 'fromBlock' in filter ? filter.fromBlock : undefined;
  const isAhead = typeof fromBlock === 'string' && quantity.test(fromBlock) && BigInt(fromBlock) > head;
  return isAhead ? undefined : [{ ...filter, toBlock: `0x${head.toString(16)}` }, ...others];
}
