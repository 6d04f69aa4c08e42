import type { TokenBalance, TokenPool } from '../../../../src/wire/token.js';
import { amountText, maxShortCharacters, shortAmountText, sumOf } from '../../components/text/amount.js';

export interface Holdings {
  /** Balances by key in lower case, largest first. In a non-fungible pool they are numbers of tokens. */
  readonly holders: ReadonlyMap<string, string>;
  readonly supply: string;
  /** Whether there may be more holders. */
  readonly isPartial: boolean;
}

/** Formats an amount of a pool: grouped digits with the pool's decimals, or a number of non-fungible tokens. */
export function poolAmount(digits: string, pool: Pick<TokenPool, 'type' | 'decimals'> | undefined): string {
  if (pool?.type === 'nonfungible') return `${amountText(digits)} ${digits === '1' ? 'token' : 'tokens'}`;
  return amountText(digits, pool?.decimals);
}

/** Formats an amount of a pool for a column of a list: in full if it fits, otherwise shortened to its magnitude. */
export function shortPoolAmount(digits: string, pool: Pick<TokenPool, 'type' | 'decimals'> | undefined): string {
  const full = poolAmount(digits, pool);
  if (full.length <= maxShortCharacters) return full;
  return shortAmountText(pool?.type === 'nonfungible' ? amountText(digits) : amountText(digits, pool?.decimals));
}

export function addUp(balances: readonly TokenBalance[], isPartial: boolean): Holdings {
  const totals = new Map<string, string>();
  for (const { key, balance } of balances) {
    const holder = key.toLowerCase();
    totals.set(holder, sumOf([totals.get(holder) ?? '0', balance]));
  }
  const largestFirst = [...totals].sort(([, a], [, b]) => (BigInt(a) < BigInt(b) ? 1 : BigInt(a) > BigInt(b) ? -1 : 0));
  return { holders: new Map(largestFirst), supply: sumOf(balances.map(({ balance }) => balance)), isPartial };
}

export function heldBy(keys: readonly string[], { holders }: Holdings): string {
  return sumOf(keys.flatMap((key) => holders.get(key) ?? []));
}
