import type { TokenBalance, TokenPool } from '../../../../src/wire/token.js';
import { amountText, sumOf } from '../../components/text/amount.js';

/** The supply of a pool and its holders. */
export interface Holdings {
  /** By key in lower case, the largest first; of a non-fungible pool the number of tokens. */
  readonly holders: ReadonlyMap<string, string>;
  readonly supply: string;
  /** Whether there may be more than was read. */
  readonly isPart: boolean;
}

/** An amount of a pool in words: grouped, with the decimals of the pool; of a non-fungible one a number of tokens. */
export function poolAmount(digits: string, pool: Pick<TokenPool, 'type' | 'decimals'> | undefined): string {
  if (pool?.type === 'nonfungible') return `${amountText(digits)} ${digits === '1' ? 'token' : 'tokens'}`;
  return amountText(digits, pool?.decimals);
}

/** Adds up balances of one pool. */
export function addUp(balances: readonly TokenBalance[], isPart: boolean): Holdings {
  const held = new Map<string, string>();
  for (const { key, balance } of balances) {
    const holder = key.toLowerCase();
    held.set(holder, sumOf([held.get(holder) ?? '0', balance]));
  }
  const largestFirst = [...held].sort(([, a], [, b]) => (BigInt(a) < BigInt(b) ? 1 : BigInt(a) > BigInt(b) ? -1 : 0));
  return { holders: new Map(largestFirst), supply: sumOf(balances.map(({ balance }) => balance)), isPart };
}

/** The sum of what some keys hold. */
export function heldBy(keys: readonly string[], { holders }: Holdings): string {
  return sumOf(keys.flatMap((key) => holders.get(key) ?? []));
}
