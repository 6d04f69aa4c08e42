import type { Client } from '../../client/client.js';
import { type Entry, type Parameters, readAll } from '../../client/page.js';
import type { TokenBalance } from '../../wire/token.js';

/** The keys for reading a list of balances to its end, as a balance has no id. */
export const balanceKeys = {
  id: ({ pool, tokenIndex = '', key }: TokenBalance) => `${pool}/${tokenIndex}/${key}`,
  field: 'updated',
  key: ({ updated }: TokenBalance) => updated,
};

export interface Holdings {
  /** The sum of all balances; for a non-fungible pool the number of its tokens. */
  readonly supply: bigint;
  /** The amount of each holder, the largest first. */
  readonly holders: ReadonlyMap<string, bigint>;
}

/** Reads every non-zero balance. @throws ClientError, UnreachableError */
export async function* readBalances(client: Client, parameters: Parameters): AsyncGenerator<Entry<TokenBalance>> {
  const filters: Parameters = [...parameters, ['balance', '>0']];
  for await (const page of readAll(client, 'listTokenBalances', filters, balanceKeys)) yield* page;
}

/** Adds up the balances of a pool by holder. @throws ClientError, UnreachableError */
export async function readHoldings(client: Client, pool: string): Promise<Holdings> {
  const held = new Map<string, bigint>();
  let supply = 0n;
  for await (const { value } of readBalances(client, [['pool', pool]])) {
    const amount = BigInt(value.balance);
    held.set(value.key, (held.get(value.key) ?? 0n) + amount);
    supply += amount;
  }
  const largestFirst = [...held].sort(([, a], [, b]) => (a === b ? 0 : a < b ? 1 : -1));
  return { supply, holders: new Map(largestFirst) };
}
