import { maxTransactionGas } from '../../ports/blockchain.js';
import { RpcError } from '../rpc/rpc-error.js';

type Params = readonly unknown[];

/** Gas for a dry run that names none: enough to read two thousand words of storage. */
const defaultGas = 5_000_000;
/** Gas per byte of a contract creation: for the call data, the init code and the stored code. */
const gasPerByte = 256;
const outOfGas = /out of gas/i;

/**
 * Dry-runs a call with the gas that it names. The default is enough for most contracts and not much more, since a
 * contract that loops blocks the whole chain for as long as its gas lasts. A creation gets more, in proportion to its
 * length, since storing code costs gas.
 *
 * @throws RpcError as `attempt`, with a hint if more gas was needed
 */
export async function withDryRunGas<T>(params: Params, attempt: (bounded: Params) => Promise<T>): Promise<T> {
  const [call, ...others] = params;
  if (typeof call !== 'object' || call === null || isGiven(call, 'gas')) return attempt(params);
  const gas = isGiven(call, 'to') ? defaultGas : gasOfCreation(call);
  try {
    return await attempt([{ ...call, gas: `0x${gas.toString(16)}` }, ...others]);
  } catch (error) {
    if (!(error instanceof RpcError) || !outOfGas.test(error.message)) throw error;
    const hint = `The default of ${gas} gas is not enough; set "gas", to at most ${maxTransactionGas}`;
    throw new RpcError(error.code, `${error.message}. ${hint}.`, error.data);
  }
}

function gasOfCreation(call: object): number {
  const code: unknown = Reflect.get(call, 'data') ?? Reflect.get(call, 'input');
  const bytes = typeof code === 'string' ? code.length / 2 : 0;
  return Math.min(maxTransactionGas, defaultGas + Math.ceil(bytes * gasPerByte));
}

function isGiven(call: object, name: string): boolean {
  const member: unknown = Reflect.get(call, name);
  return member !== undefined && member !== null;
}
