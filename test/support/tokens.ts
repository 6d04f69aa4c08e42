import type { Interface } from 'ethers';
import { textOf } from '../../src/wire/json.js';
import type { TokenPool, TransferRequest } from '../../src/wire/token.js';
import type { Party, Pipelines } from './pipelines.js';
import { rowsOf } from './pipelines-check.js';

/** A pool of a party, once all parties have decided about it. */
export async function makePool(
  network: Pipelines,
  party: Party,
  { name = 'coins', type = 'fungible', publish = true }: { name?: string; type?: string; publish?: boolean } = {},
): Promise<TokenPool> {
  const { record } = await party.pipeline().acceptPool('default', { name, type }, publish);
  await network.settle();
  return record;
}

/** A request for an amount, with a broadcast message about a value if there is one. */
export function amountOf(amount: number | bigint, more: Omit<TransferRequest, 'amount'> = {}): TransferRequest {
  return { amount: textOf(String(amount)), ...more };
}

/** A message that goes with an operation: to all, or to a group of these organisations. */
export function attached(value: unknown, members?: readonly string[]): Pick<TransferRequest, 'message'> {
  const data = [{ value: textOf(value) }];
  const header = { topics: ['tokens'] };
  if (members === undefined) return { message: { header, data } };
  return { message: { header, data, group: { members: members.map((identity) => ({ identity })) } } };
}

/** What a party says of each key and token of a pool: `key/index` → balance. */
export async function balancesAt(party: Party, pool: string): Promise<Readonly<Record<string, string>>> {
  const rows = (await rowsOf(party.database(), 'balances')).filter((row) => row.pool === pool);
  const each = rows.map(({ key, tokenIndex, balance }) => [`${key}/${tokenIndex}`, balance] as const);
  return Object.fromEntries([...each].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What the ledger itself says that a key holds. */
export async function balanceOnChain(
  { ledger }: Pipelines,
  contract: Interface,
  [address, account, id]: readonly [address: string, account: string, id: bigint],
): Promise<string> {
  const data = contract.encodeFunctionData('balanceOf', [account, id]);
  const answer = await ledger.connect({ keys: [] }).query({ to: address, data });
  if (answer.status !== 'success') throw new Error(answer.reason);
  return String(BigInt(answer.data));
}
