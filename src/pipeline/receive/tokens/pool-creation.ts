import type { Blockchain } from '../../../ports/blockchain.js';
import type { Database, Reader } from '../../../ports/database.js';
import type { IdentityRow } from '../../../ports/tables/chain-tables.js';
import type { FoundPool, LocatedPool, TokenConnector } from '../../../ports/token-connector.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { PoolDefinition } from '../../../wire/token.js';
import type { Definer } from '../../operations/activation.js';

export interface PoolCreationParts {
  readonly database: Database;
  readonly blockchain: Pick<Blockchain, 'readLogs'>;
  readonly connectors: ReadonlyMap<string, TokenConnector>;
}

/**
 * Returns the reason why the chain contradicts a pool's definition, or undefined. A pool must be created before the
 * pin, by a key of the author's member, as its locator says; a contract that existed before may belong to anyone
 * (docs/protocol.md §9.3). Depends only on the chain up to the pin, so every node finds the same. Rejects with
 * ChainError `unreachable`.
 */
export async function refusalOfPool(
  { database, blockchain, connectors }: PoolCreationParts,
  pool: Pick<PoolDefinition, 'connector' | 'locator' | 'key'>,
  { block: created, creation, key }: LocatedPool,
  { author, block }: Definer,
): Promise<string | undefined> {
  if (created >= block) return refused('it is not created before its definition');
  if (creation === undefined) return undefined;
  const connector = connectors.get(pool.connector);
  const logs = await blockchain.readLogs(creation, created, created);
  const found = logs
    .flatMap((log) => connector?.readCreation(log) ?? [])
    .find(({ locator }) => connector?.locate(locator)?.key === key);
  if (found === undefined || found.locator !== pool.locator) return refused('its locator is that of no pool on chain');
  const isAuthors = found.creator === (pool.key ?? null) && (await isOf(database, found, { author, block }));
  return isAuthors ? undefined : refused(`no key of ${author} has created it`);
}

/** Whether a creator's key was registered up to a block, for the member of an identity. */
async function isOf(database: Reader, { creator }: FoundPool, { author, block }: Definer): Promise<boolean> {
  const key = await database.first('keys', { key: creator ?? '' });
  if (key === undefined) return false;
  const [owner, definer] = [await findIdentity(database, key.identity), await findIdentity(database, author)];
  if (owner === undefined || definer === undefined || owner.block > block) return false;
  return (owner.parent ?? owner.did) === (definer.parent ?? definer.did);
}

function findIdentity(database: Reader, did: string): Promise<IdentityRow | undefined> {
  return database.first('identities', { did });
}

function refused(problem: string): string {
  return new ServiceError('definition_not_creator', { problem }).message;
}
