import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { keccak256 } from '../../domain/chain/keys.js';
import type { Rpc } from '../engines/chain/fees.js';
import type { Member } from '../running/contracts.js';

export const Hex = Type.String({ pattern: '^0x[0-9a-f]*$' });

/** Calls a method of the chain; throws Error if the answer has another shape. */
export type Call = <Schema extends TSchema>(
  schema: Schema,
  method: string,
  ...parameters: readonly unknown[]
) => Promise<Static<Schema>>;

export function createCall(rpc: Rpc): Call {
  return async (schema, method, ...parameters) => {
    const result = await rpc(method, ...parameters);
    if (Value.Check(schema, result)) return result;
    throw new Error(`The chain gave an unexpected answer to ${method}: ${JSON.stringify(result)}`);
  };
}

export const noCode = '0x';

export function codeAt(call: Call, address: string): Promise<string> {
  return call(Hex, 'eth_getCode', address, 'latest');
}

/** The block in which the code at an address appeared, by bisection. */
export async function deploymentBlock(call: Call, address: string): Promise<number> {
  let [low, high] = [0, Number(await call(Hex, 'eth_blockNumber'))];
  while (low < high) {
    const block = Math.floor((low + high) / 2);
    const code = await call(Hex, 'eth_getCode', address, `0x${block.toString(16)}`);
    if (code === noCode) low = block + 1;
    else high = block;
  }
  return low;
}

/** The members that the registry does not have yet. */
export async function missingMembers(call: Call, network: string, members: readonly Member[]): Promise<Member[]> {
  const selector = Buffer.from(keccak256(Buffer.from('memberOf(address)')).subarray(0, 4)).toString('hex');
  const owners = await Promise.all(
    members.map(({ address }) => {
      const data = `0x${selector}${address.slice(2).padStart(64, '0')}`;
      return call(Hex, 'eth_call', { to: network, data }, 'latest');
    }),
  );
  return members.filter((_, index) => BigInt(owners[index] ?? '0x0') === 0n);
}

/** Accounts that have nothing, and to which nothing is on its way. */
export async function unfunded(call: Call, addresses: readonly string[]): Promise<string[]> {
  const balances = await Promise.all(addresses.map((address) => call(Hex, 'eth_getBalance', address, 'pending')));
  return addresses.filter((_, index) => BigInt(balances[index] ?? '0x0') === 0n);
}
