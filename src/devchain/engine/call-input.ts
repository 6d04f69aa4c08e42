import { RpcError, rpcCodes } from '../rpc/rpc-error.js';

type Params = readonly unknown[];

/**
 * Gives the data of a call the name that the engine knows. Foundry, and every client that serves older nodes too, says
 * it twice, as `data` and as `input`, which the engine refuses.
 *
 * @throws RpcError if the two differ
 */
export function withOneInput([call, ...others]: Params): Params {
  if (typeof call !== 'object' || call === null || !('data' in call && 'input' in call)) return [call, ...others];
  const { data, input, ...rest } = call;
  if (isGiven(data) && isGiven(input) && String(data).toLowerCase() !== String(input).toLowerCase()) {
    throw new RpcError(rpcCodes.invalidParams, 'The call has "data" and "input", and they differ. Give "input" alone.');
  }
  return [{ ...rest, data: data ?? input }, ...others];
}

function isGiven(member: unknown): boolean {
  return member !== undefined && member !== null;
}
