import { type Database, everyNamespace, type Reader } from '../ports/database.js';
import type { IdentityRow } from '../ports/tables.js';
import { among, equal, oldestFirst } from '../wire/query.js';

/**
 * The owners of keys, and the organisations of nodes, as registered on chain. These facts never change once they exist,
 * so each is read once; missing ones are looked up again.
 */
export interface Registry {
  /** Returns the DIDs of the owners of registered keys, as the reader sees them. Nothing is cached. */
  owners(reader: Reader, keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The same of what is committed, and kept (docs/architecture.md §9.2). */
  keepOwners(database: Database, keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Id of the node of the member that an identity belongs to, as the reader sees it. Nothing of it is kept. */
  nodeIdOf(reader: Reader, did: string): Promise<string | undefined>;
  /** The node of the member that an identity belongs to, kept: where it listens may have changed since. */
  nodeOf(database: Database, did: string): Promise<IdentityRow | undefined>;
  /** Ids of the nodes of all members, kept until the registry changes. */
  nodes(database: Database): Promise<readonly string[]>;
  /** Logs that may have brought members are committed. */
  changed(): void;
}

/** A registry that has read nothing yet. */
export function createRegistry(): Registry {
  const owners = new Map<string, string>();
  const nodes = new Map<string, IdentityRow>();
  let nodeIds: readonly string[] | undefined;
  /** A read that overlaps a change of the registry may be from before it. */
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
  const query = { namespace: everyNamespace, where: [among('key', keys)], sort: oldestFirst } as const;
  const rows = await reader.find('keys', { ...query, limit: keys.length });
  return rows.map(({ key, identity }) => [key, identity]);
}

async function readNodeIds(reader: Reader): Promise<readonly string[]> {
  const where = [equal('type', 'node')];
  const rows = await reader.find('identities', {
    namespace: everyNamespace,
    where,
    sort: oldestFirst,
    limit: maxNodes,
  });
  return rows.map(({ id }) => id);
}

/** More nodes than a network has. */
const maxNodes = 10_000;

async function findNode(reader: Reader, did: string): Promise<IdentityRow | undefined> {
  const find = async (field: string, value: string, type?: string) => {
    const where = [equal(field, value), ...(type === undefined ? [] : [equal('type', type)])];
    const [row] = await reader.find('identities', { namespace: everyNamespace, where, sort: oldestFirst, limit: 1 });
    return row;
  };
  const identity = await find('did', did);
  return identity === undefined ? undefined : find('parent', identity.parent ?? identity.did, 'node');
}

/**
 * Ids of the nodes whose certificate has this public key. There may be several: nothing keeps a member from registering
 * the key of another, which it cannot prove.
 */
export async function findNodesWithKey(reader: Reader, publicKeyHash: string): Promise<readonly string[]> {
  const where = [equal('publicKeyHash', publicKeyHash), equal('type', 'node')];
  const rows = await reader.find('identities', {
    namespace: everyNamespace,
    where,
    sort: oldestFirst,
    limit: maxNodes,
  });
  return rows.map(({ id }) => id);
}
