import { type ProfileRules, profileRulesOf } from '../../../domain/network/profile.js';
import type { Reader } from '../../../ports/database.js';
import type { LocatedPool, TokenConnector } from '../../../ports/token-connector.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import { canonicalAddress } from '../../../wire/chain/address.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { nearestHint } from '../../../wire/lists/query.js';
import { uuidPattern } from '../../../wire/scalar.js';
import { byIdOrName } from '../by-id-or-name.js';
import { createLookup, type Lookup } from '../lookup.js';
import type { Directory } from '../identities/directory.js';

export type Connectors = ReadonlyMap<string, TokenConnector>;

/** Returns a pool by name or id. @throws ServiceError not_found, with the names of existing pools */
export async function namedPool(database: Reader, namespace: string, nameOrId: string): Promise<PoolRow> {
  const pool = await database.first('pools', { namespace, ...byIdOrName(nameOrId) });
  if (pool !== undefined) return pool;
  const names = (await readPools(database, namespace)).map(({ name }) => name);
  const hint = names.length === 0 ? '; there is none' : `; there are ${names.join(', ')}`;
  throw new ServiceError('not_found', { what: `token pool ${nameOrId} in namespace ${namespace}${hint}` });
}

/** Finds pools for requests; concurrent requests share reads. */
export interface PoolFinder {
  readonly database: Reader;
  readonly byId: Lookup<PoolRow>;
  readonly byName: Lookup<PoolRow>;
}

export function createPoolFinder(database: Reader): PoolFinder {
  return {
    database,
    byId: createLookup({
      read: (namespace, ids) => database.rows('pools', { namespace, id: ids }, { limit: ids.length }),
      valueOf: ({ id }) => id,
    }),
    byName: createLookup({
      read: (namespace, names) => database.rows('pools', { namespace, name: names }, { limit: names.length }),
      valueOf: ({ name }) => name,
    }),
  };
}

export interface ChosenPool {
  readonly pool: PoolRow;
  readonly locator: string;
  readonly located: LocatedPool;
  readonly connector: TokenConnector;
}

/**
 * Returns the pool that a request names, or the only one (docs/api.md §19.2).
 *
 * @throws ServiceError not_found, field_required, choice_required, pool_not_active, connector_unknown
 */
export async function choosePool(
  pools: PoolFinder,
  connectors: Connectors,
  namespace: string,
  given: string | undefined,
): Promise<ChosenPool> {
  const pool =
    given === undefined ? await onlyPool(pools.database, namespace) : await givenPool(pools, namespace, given);
  const { name, locator } = pool;
  if (!pool.active || locator === null) throw new ServiceError('pool_not_active', { name, problem: problemOf(pool) });
  const connector = chooseConnector(connectors, pool.connector);
  const located = connector.locate(locator);
  if (located === undefined) {
    throw new ServiceError('pool_not_active', { name, problem: 'its connector does not know where it is' });
  }
  return { pool, locator, located, connector };
}

async function givenPool({ database, byId, byName }: PoolFinder, namespace: string, given: string): Promise<PoolRow> {
  const id = given.toLowerCase();
  const pool = await (uuidPattern.test(id) ? byId(namespace, id) : byName(namespace, given));
  return pool ?? namedPool(database, namespace, given);
}

function problemOf({ state }: PoolRow): string {
  switch (state) {
    case 'creating':
      return 'its creation has not ended, or has failed; its operation says more';
    case 'refused':
      return 'it is not what its definition says';
    default:
      return 'its definition or its history has not been read yet';
  }
}

async function onlyPool(database: Reader, namespace: string): Promise<PoolRow> {
  const pools = await readPools(database, namespace);
  const [first, ...others] = pools.length > 1 ? await usable(database, namespace, pools) : pools;
  if (first === undefined) {
    throw new ServiceError('field_required', { field: 'pool', hint: `, and there is none in namespace ${namespace}` });
  }
  if (others.length === 0) return first;
  const candidates = [first, ...others].map(({ name }) => name).join(', ');
  throw new ServiceError('choice_required', { field: 'pool', candidates });
}

/** Leaves out pools that were refused or whose creation failed, unless there are no others. */
async function usable(database: Reader, namespace: string, pools: readonly PoolRow[]): Promise<readonly PoolRow[]> {
  const creations = pools.flatMap(({ state, txid }) => (state === 'creating' && txid !== null ? [txid] : []));
  const open =
    creations.length === 0
      ? []
      : await database.rows(
          'operations',
          { namespace, tx: creations, type: 'token_create_pool', status: ['Initialized', 'Pending'] },
          { limit: creations.length },
        );
  // A failed operation that was retried has an open one with the same transaction.
  const inProgress = new Set(open.map(({ tx }) => tx));
  const left = pools.filter(
    ({ state, txid }) => state !== 'refused' && (state !== 'creating' || (txid !== null && inProgress.has(txid))),
  );
  return left.length > 0 ? left : pools;
}

/** Limit of names in an error. */
const maxNamed = 50;

function readPools(database: Reader, namespace: string): Promise<readonly PoolRow[]> {
  return database.rows('pools', { namespace }, { limit: maxNamed });
}

/**
 * Returns the named connector, or the only one.
 *
 * @throws ServiceError connector_unknown, choice_required
 */
export function chooseConnector(
  connectors: Connectors,
  given: string | undefined,
  { hasDefaultConnector }: Pick<ProfileRules, 'hasDefaultConnector'> = profileRulesOf(undefined),
): TokenConnector {
  const names = [...connectors.keys()];
  const [only = '', ...others] = names;
  if (given === undefined && others.length > 0 && !hasDefaultConnector) {
    throw new ServiceError('choice_required', { field: 'connector', candidates: names.join(', ') });
  }
  const connector = connectors.get(given ?? only);
  if (connector !== undefined) return connector;
  const hint = names.length === 0 ? (given === undefined ? '.' : ': it has none.') : nearestHint(given ?? '', names);
  throw new ServiceError('connector_unknown', { what: given === undefined ? '' : ` "${given}"`, hint });
}

const addressPattern = /^0x[0-9a-f]{40}$/;

/**
 * Returns the key that a request names: an address, or the key of an organisation or identity (docs/api.md §3.2).
 *
 * @throws ServiceError not_address, identity_unknown
 */
export async function accountOf(directory: Directory, field: string, text: string): Promise<string> {
  const key = text.toLowerCase();
  if (addressPattern.test(key)) return key;
  if (key.startsWith('0x') || key.trim() === '') throw new ServiceError('not_address', { field, actual: text });
  const identity = (await directory.parties([text]))(text);
  const itsKey = identity === undefined ? undefined : await directory.keyOf(identity.did);
  if (itsKey !== undefined) return itsKey;
  const address = canonicalAddress(text);
  if (addressPattern.test(address)) return address;
  throw new ServiceError('identity_unknown', {
    actual: text,
    hint: nearestHint(text, await directory.organizations()),
  });
}
