import type { Client } from '../../../../src/client/client.js';
import { readPage } from '../../../../src/client/page.js';
import type { TokenPool } from '../../../../src/wire/token.js';
import { useRead } from '../../api/read.js';
import { addUp, type Holdings } from './amounts.js';

const maxBalances = 1_000;

async function readBalances(client: Client, pool: string | undefined, signal: AbortSignal) {
  const where = [
    ['balance', '>0'],
    ['limit', String(maxBalances)],
    ...(pool === undefined ? [] : [['pool', pool] as const]),
  ] as const;
  const { entries } = await readPage(client, 'listTokenBalances', where, signal);
  return entries.map(({ value }) => value);
}

/** Reads the holdings of a pool: from one request for all pools if it returns all balances, otherwise per pool. */
export function useHoldings(pool: Pick<TokenPool, 'id'>): {
  readonly holdings: Holdings | undefined;
  readonly error: unknown;
  readonly retry: () => void;
} {
  const all = useRead('balances', ['all'], (client, signal) => readBalances(client, undefined, signal));
  const isEnough = all.data === undefined || all.data.length < maxBalances;
  const own = useRead('balances', ['of pool', pool.id], (client, signal) => readBalances(client, pool.id, signal), {
    isEnabled: !isEnough,
  });
  const read = isEnough ? all : own;
  const balances = read.data?.filter((each) => each.pool === pool.id);
  return {
    holdings: balances === undefined ? undefined : addUp(balances, balances.length >= maxBalances),
    error: read.error ?? undefined,
    retry: () => void read.refetch(),
  };
}
