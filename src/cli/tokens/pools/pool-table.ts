import type { Client } from '../../../client/client.js';
import { readPage } from '../../../client/page.js';
import { textOf } from '../../../wire/json/json.js';
import type { TokenPool } from '../../../wire/token.js';
import { type Holdings, readHoldings } from '../holdings.js';
import { withMember } from '../../requests/json-text.js';
import type { Collection } from '../../requests/list.js';
import { type Owners, ownerText } from '../../requests/owners.js';
import { recordText } from '../../requests/record-text.js';
import { ageColumn } from '../../terminal/table.js';
import { plural, safe, shortId } from '../../terminal/text.js';

/** The list of pools, with supply and number of holders. */
export function poolCollection(nowMs: number): Collection<'listTokenPools'> {
  const known = new Map<string, Holdings>();
  const states = new Map<string, string>();
  return {
    route: 'listTokenPools',
    noun: 'pools',
    keys: { id: ({ id }) => id, field: 'created', key: ({ created }) => created },
    columns: [
      { name: 'name', text: ({ name }) => safe(name) },
      { name: 'type', text: ({ type }) => type },
      { name: 'connector', spare: 2, text: ({ connector }) => safe(connector) },
      { name: 'state', text: ({ id }) => states.get(id) ?? '' },
      { name: 'supply', text: ({ id }) => String(known.get(id)?.supply ?? '') },
      { name: 'holders', text: ({ id }) => String(known.get(id)?.holders.size ?? '') },
      { name: 'id', spare: 3, text: ({ id }, isTerminal) => (isTerminal ? shortId(id) : id) },
      ageColumn('created', ({ created }) => created, nowMs, 1),
    ],
    async complete(client, { value, text }) {
      states.set(value.id, (await readState(client, value)).name);
      const holdings = await readHoldings(client, value.id);
      known.set(value.id, holdings);
      return { value, text: withHoldings(text, holdings) };
    },
  };
}

/** A pool as served, with a last member `stack` from the command line. */
export function withHoldings(text: string, { supply, holders }: Holdings): string {
  return withMember(text, 'stack', textOf({ schemaVersion: 1, supply: String(supply), holders: holders.size }));
}

/** The state of a pool, with the reason if its creation has failed. */
export interface PoolState {
  readonly name: string;
  readonly reason?: string | undefined;
}

/** Reads the state of a pool. @throws ClientError, UnreachableError */
export async function readState(client: Client, { active, published, tx }: TokenPool): Promise<PoolState> {
  if (active) return { name: published ? 'active' : 'active here' };
  if (tx?.id === undefined) return { name: 'coming' };
  const { value } = await client.getTransactionStatus({ path: { transactionid: tx.id } });
  if (value.status !== 'Failed') return { name: 'coming' };
  return { name: 'failed', reason: value.details.find(({ status }) => status === 'Failed')?.error };
}

/** Maximum number of holders that are listed. */
const maxShown = 20;

export function poolText(
  pool: TokenPool,
  { state, supply, holders }: Holdings & { readonly state: PoolState },
  owners: Owners,
): string {
  const shown = [...holders].slice(0, maxShown);
  const width = Math.max(0, ...shown.map(([key]) => ownerText(key, owners, false).length));
  return recordText([
    ['name', pool.name],
    ['type', pool.type],
    ['state', state.name],
    ['reason', state.reason],
    ['id', pool.id],
    ['connector', pool.connector],
    ['standard', pool.standard],
    ['symbol', pool.symbol],
    ['decimals', pool.decimals === undefined ? undefined : String(pool.decimals)],
    ['created', pool.created],
    ['creator', pool.key === undefined ? undefined : ownerText(pool.key, owners, false)],
    ['locator', pool.locator],
    ['message', pool.message],
    ['supply', pool.type === 'fungible' ? String(supply) : plural(Number(supply), 'token')],
    ['holders', String(holders.size)],
    ...shown.map(([key, amount]) => ['', `${ownerText(key, owners, false).padEnd(width)}  ${amount}`] as const),
    ...(holders.size > maxShown ? ([['', `and ${holders.size - maxShown} more`]] as const) : []),
  ]);
}

/** Maximum number of pools whose names are read; others are shown by id. */
const maxNames = '1000';

/** The pools of a node, by id. @throws ClientError, UnreachableError */
export async function readPools(client: Client): Promise<ReadonlyMap<string, TokenPool>> {
  const { entries } = await readPage(client, 'listTokenPools', [['limit', maxNames]]);
  return new Map(entries.map(({ value }) => [value.id, value]));
}
