import { RpcError, rpcCodes } from '../rpc/rpc-error.js';

type Params = readonly unknown[];

/**
 * Merges `data` and `input` of a call into `data`. Foundry, and other clients that support older nodes, send both,
 * which the engine refuses.
 *
 * @throws RpcError if the two differ
 */
export function withOneInput([call, ...others]: Params): Params {
  if (typeof call !== 'object' || call === null || !('data' in call && 'input' in call)) return [call, ...others];
  const { data, input, ...rest } = call;
  if (isGiven(data) && isGiven(input) && String(data).toLowerCase() !== String(input).toLowerCase()) {
    throw new RpcError(rpcCodes.invalidParams, 'The call has "data" and "input", and they differ. Send only "input".');
  }
  return [{ ...rest, data: data ?? input }, ...others];
}

function isGiven(member: unknown): boolean {
  return member !== undefined && member !== null;
}
