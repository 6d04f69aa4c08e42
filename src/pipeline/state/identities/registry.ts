import type { Database, Reader } from '../../../ports/database.js';
import type { IdentityRow } from '../../../ports/tables/chain-tables.js';

/**
 * The owners of keys and the nodes of organisations, as registered on chain. These facts never change, so each is read
 * once; missing ones are read again.
 */
export interface Registry {
  /** Returns the DIDs of the owners of registered keys, as the reader sees them, without caching. */
  owners(reader: Reader, keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the same from committed rows, with caching (docs/architecture.md §9.2). */
  keepOwners(database: Database, keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the node id of an identity's member, as the reader sees it, without caching. */
  nodeIdOf(reader: Reader, did: string): Promise<string | undefined>;
  /** Returns the node of an identity's member, cached; its endpoint may be outdated. */
  nodeOf(database: Database, did: string): Promise<IdentityRow | undefined>;
  /** Returns the ids of all nodes, cached until the registry changes. */
  nodes(database: Database): Promise<readonly string[]>;
  /** Called after a commit that may have added members. */
  changed(): void;
}

export function createRegistry(): Registry {
  const owners = new Map<string, string>();
  const nodes = new Map<string, IdentityRow>();
  let nodeIds: readonly string[] | undefined;
  /** Detects a change during a read, whose result is then not cached. */
  let changes = 0;
  return {
    async owners(reader, keys) {
      const read = await readOwners(reader, unknownOf(keys));
      return new Map([...owners, ...read]);
    },
    async keepOwners(database, keys) {
      for (const [key, owner] of await readOwners(database, unknownOf(keys))) owners.set(key, owner);
      return owners;
    },
    async nodeOf(database, did) {
      const node = nodes.get(did) ?? (await findNode(database, did));
      if (node !== undefined) nodes.set(did, node);
      return node;
    },
    async nodeIdOf(reader, did) {
      return (nodes.get(did) ?? (await findNode(reader, did)))?.id;
    },
    async nodes(database) {
      if (nodeIds !== undefined) return nodeIds;
      const before = changes;
      const ids = await readNodeIds(database);
      if (before === changes) nodeIds = ids;
      return ids;
    },
    changed() {
      nodeIds = undefined;
      changes++;
    },
  };

  function unknownOf(keys: readonly string[]): string[] {
    return [...new Set(keys)].filter((key) => !owners.has(key));
  }
}

async function readOwners(reader: Reader, keys: readonly string[]): Promise<[string, string][]> {
  if (keys.length === 0) return [];
  const rows = await reader.rows('keys', { key: keys }, { limit: keys.length });
  return rows.map(({ key, identity }) => [key, identity]);
}

async function readNodeIds(reader: Reader): Promise<readonly string[]> {
  const rows = await reader.rows('identities', { type: 'node' }, { limit: maxNodes });
  return rows.map(({ id }) => id);
}

/** More than a network has. */
const maxNodes = 10_000;
/** More than a member has. */
const maxIdentities = 10_000;

async function findNode(reader: Reader, did: string): Promise<IdentityRow | undefined> {
  const identity = await reader.first('identities', { did });
  if (identity === undefined) return undefined;
  return reader.first('identities', { parent: identity.parent ?? identity.did, type: 'node' });
}

/** Returns the DIDs of a node's member: of the organisation, and of all identities below it. */
export async function findIdentities(reader: Reader, node: string): Promise<readonly string[]> {
  const { parent } = (await reader.first('identities', { id: node, type: 'node' })) ?? {};
  if (parent === undefined || parent === null) return [];
  const below = await reader.rows('identities', { parent }, { limit: maxIdentities });
  return [parent, ...below.map(({ did }) => did)];
}

/**
 * Returns the ids of the nodes registered with a public key. There may be several, because a member can register
 * another's key, without being able to prove it.
 */
export async function findNodesWithKey(reader: Reader, publicKeyHash: string): Promise<readonly string[]> {
  const rows = await reader.rows('identities', { publicKeyHash, type: 'node' }, { limit: maxNodes });
  return rows.map(({ id }) => id);
}
