import { maxTransactionGas } from '../../ports/blockchain.js';
import type { Chain } from './chain.js';
import { refuseUnpaid } from './payable.js';
import { RpcError } from '../rpc/rpc-error.js';
import { withDryRunGas } from './dry-run-gas.js';

type Asker = Pick<Chain, 'ask'>;

/** The precision of the search: the result is too high by at most 1/64. */
const precision = 64;
/** The engine's error when its search exceeds the gas limit of a transaction. */
const aboveMaximum = /gas limit .* is greater than the cap/;

/**
 * Estimates the gas that a call needs. For a contract that checks its remaining gas, the engine doubles its guess up to
 * half a block and then refuses its own dry run; then the search is done here, within the limit of a transaction.
 *
 * @throws RpcError as the engine reports it, if the call fails even with the maximum
 */
export async function estimateGas(chain: Asker, params: readonly unknown[]): Promise<string> {
  await refuseUnpaid(chain, params);
  return withDryRunGas(params, async (bounded) => {
    try {
      return await chain.ask('eth_estimateGas', bounded);
    } catch (error) {
      if (!(error instanceof RpcError) || !aboveMaximum.test(error.message)) throw error;
      return JSON.stringify(hexOf(await search(chain, bounded)));
    }
  });
}

async function search(chain: Asker, [call, ...others]: readonly unknown[]): Promise<number> {
  const asked = typeof call === 'object' ? call : {};
  const most = asked !== null && 'gas' in asked ? Number(asked.gas ?? maxTransactionGas) : maxTransactionGas;
  const attempt = (gas: number): Promise<string> => chain.ask('eth_call', [{ ...asked, gas: hexOf(gas) }, ...others]);
  await attempt(most);
  let [low, high] = [0, most];
  while (high - low > high / precision) {
    const middle = Math.ceil((low + high) / 2);
    if (await isEnough(() => attempt(middle))) high = middle;
    else low = middle;
  }
  return high;
}

async function isEnough(attempt: () => Promise<string>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (error instanceof RpcError) return false;
    throw error;
  }
}

function hexOf(gas: number): string {
  return `0x${gas.toString(16)}`;
}
