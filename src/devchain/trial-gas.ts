import { maxTransactionGas } from '../ports/blockchain.js';
import { RpcError } from './rpc-error.js';

type Params = readonly unknown[];

/** What a call of a contract is tried with when it names no gas: enough to read two thousand words of storage. */
const defaultGas = 5_000_000;
const outOfGas = /out of gas/i;

/**
 * Tries a call with the gas that it names. Without one it has what most contracts never need, since a contract that
 * loops keeps the whole chain busy for as long as its gas lasts; who needs more says so. A creation may take what a
 * transaction may: the code that it keeps costs that much.
 *
 * @throws RpcError as `attempt`, which says where more was needed how to have it
 */
export async function withTrialGas<T>(params: Params, attempt: (bounded: Params) => Promise<T>): Promise<T> {
  const [call, ...others] = params;
  const isBounded = typeof call === 'object' && call !== null && isGiven(call, 'to') && !isGiven(call, 'gas');
  if (!isBounded) return attempt(params);
  try {
    return await attempt([{ ...call, gas: `0x${defaultGas.toString(16)}` }, ...others]);
  } catch (error) {
    if (!(error instanceof RpcError) || !outOfGas.test(error.message)) throw error;
    const hint = `It was tried with ${defaultGas}; a call that names its gas may have up to ${maxTransactionGas}`;
    throw new RpcError(error.code, `${error.message}. ${hint}.`, error.data);
  }
}

function isGiven(call: object, name: string): boolean {
  const member: unknown = Reflect.get(call, name);
  return member !== undefined && member !== null;
}
