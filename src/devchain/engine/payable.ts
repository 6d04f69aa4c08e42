import type { Chain } from './chain.js';
import { RpcError, rpcCodes } from '../rpc/rpc-error.js';

/** A number of at most 256 bits; the engine refuses longer ones, and to write a very long one would take seconds. */
const quantity = /^0x[0-9a-f]{1,64}$/i;
/** More wei than any chain has; with fees added it still fits into the engine's 256 bits. */
const maxPaid = 2n ** 192n - 1n;

/**
 * Checks that the sender can pay the value of a call. In a dry run the engine ignores balances: it accepts calls that
 * the chain refuses, and it crashes the process if value plus fees overflow.
 *
 * @throws RpcError if the value exceeds the sender's balance
 */
export async function refuseUnpaid(chain: Pick<Chain, 'ask'>, params: readonly unknown[]): Promise<void> {
  const [call, block = 'latest'] = params;
  if (typeof call !== 'object' || call === null) return;
  const value: unknown = 'value' in call ? call.value : undefined;
  // The engine refuses values that are not quantities.
  if (typeof value !== 'string' || !quantity.test(value) || BigInt(value) === 0n) return;
  const from: unknown = 'from' in call ? call.from : undefined;
  const most = typeof from === 'string' ? await balanceOf(chain, from, block) : maxPaid;
  if (BigInt(value) <= most) return;
  const message = `The sender has insufficient funds: the call sends ${BigInt(value)} wei; the most is ${most}.`;
  throw new RpcError(rpcCodes.refused, message);
}

async function balanceOf(chain: Pick<Chain, 'ask'>, address: string, block: unknown): Promise<bigint> {
  return BigInt(String(JSON.parse(await chain.ask('eth_getBalance', [address, block]))));
}
