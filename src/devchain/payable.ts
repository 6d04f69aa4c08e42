import type { Chain } from './chain.js';
import { RpcError, rpcCodes } from './rpc-error.js';

const quantity = /^0x[0-9a-f]+$/i;
/** More wei than any chain can have; with fees upon it the sum still fits the 256 bits that the engine counts in. */
const maxPaid = 2n ** 192n - 1n;

/**
 * Trying a call the engine looks at no balance: it promises what the chain then refuses, and ends the whole process
 * when value and fees are more than it can count. So we look, where a value goes with the call.
 *
 * @throws RpcError when the call takes more with it than its sender has
 */
export async function refuseUnpaid(chain: Pick<Chain, 'ask'>, params: readonly unknown[]): Promise<void> {
  const [call, block = 'latest'] = params;
  if (typeof call !== 'object' || call === null) return;
  const value: unknown = 'value' in call ? call.value : undefined;
  // What is no quantity is the engine's to refuse.
  if (typeof value !== 'string' || !quantity.test(value) || BigInt(value) === 0n) return;
  const from: unknown = 'from' in call ? call.from : undefined;
  const most = typeof from === 'string' ? await balanceOf(chain, from, block) : maxPaid;
  if (BigInt(value) <= most) return;
  const message = `The sender has insufficient funds: the call takes ${BigInt(value)} wei with it, of ${most}.`;
  throw new RpcError(rpcCodes.refused, message);
}

async function balanceOf(chain: Pick<Chain, 'ask'>, address: string, block: unknown): Promise<bigint> {
  return BigInt(String(JSON.parse(await chain.ask('eth_getBalance', [address, block]))));
}
