import { type Blockchain, ChainError } from '../../../ports/blockchain.js';
import type { ContractQuery, QueryAnswer } from '../../../ports/contract-query.js';
import { decodeRevert } from '../abi.js';
import { fundsPattern, isForAllCalls, revertPattern } from './refusals.js';
import { RpcError } from './rpc-error.js';
import { readQuantity, readText } from '../logs/header.js';
import type { Linker } from './link.js';
import { hexOf } from '../logs/placed.js';

/** A revert as a server reports it. */
export interface Revert {
  readonly status: 'reverted';
  readonly reason: string;
  readonly data: string;
}

/** Reads the revert in a server's error; undefined for other errors. */
export function toRevert({ code, data, message }: RpcError): Revert | undefined {
  const returned = typeof data === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(data) ? data.toLowerCase() : undefined;
  if (returned === undefined && code !== 3 && !revertPattern.test(message)) return undefined;
  return { status: 'reverted', reason: decodeRevert(returned ?? '') ?? message, data: returned ?? '0x' };
}

/** Implements `query` of the port. */
export async function askContract(linker: Linker, { to, data, from, gas, block }: ContractQuery): Promise<QueryAnswer> {
  const call = { to, data, ...(from !== undefined && { from }), ...gasMember(gas) };
  return orRevert(
    () => false,
    async () => {
      const { connection } = await linker.link();
      const answer = await connection.request('eth_call', [call, block === undefined ? 'latest' : hexOf(block)]);
      return { status: 'success', data: readText(answer).toLowerCase() };
    },
  );
}

/** Creates `estimate` of the port. A balance that is too low for the value of the call counts as a revert. */
export function createEstimate(linker: Linker): Blockchain['estimate'] {
  return async (from, { to, data, value, gas }) => {
    const call = {
      from,
      ...(to !== null && { to }),
      data,
      value: `0x${BigInt(value).toString(16)}`,
      ...gasMember(gas),
    };
    const isUnpaid = ({ message }: RpcError): boolean => value !== '0' && fundsPattern.test(message);
    const { connection } = await linker.link();
    try {
      return await orRevert(isUnpaid, async () => {
        return { status: 'success', gas: readQuantity(await connection.request('eth_estimateGas', [call])) };
      });
    } catch (error) {
      if (!(error instanceof RpcError) || isForAllCalls(error)) throw error;
      throw new ChainError('error_response', error.message, { cause: error });
    }
  };
}

function gasMember(gas: number | undefined): { readonly gas?: string } {
  return gas === undefined ? {} : { gas: hexOf(gas) };
}

async function orRevert<T>(isRevert: (error: RpcError) => boolean, ask: () => Promise<T>): Promise<T | Revert> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const revert = toRevert(error);
    if (revert !== undefined) return revert;
    if (isRevert(error)) return { status: 'reverted', reason: error.message, data: '0x' };
    throw error;
  }
}
