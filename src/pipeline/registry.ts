import { everyNamespace, type Reader } from '../ports/database.js';
import type { IdentityRow } from '../ports/tables.js';
import { among, equal, oldestFirst } from '../wire/query.js';

/**
 * Who owns a key, and which node belongs to whom, as the chain has it. These facts never change once they are there, so
 * each is read once; what is not there yet is asked for again.
 */
export interface Registry {
  /** Of the keys that are registered, the DIDs of their owners. */
  owners(reader: Reader, keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The node of the member that an identity belongs to. */
  nodeOf(reader: Reader, did: string): Promise<IdentityRow | undefined>;
}

/** A registry that has read nothing yet. */
export function createRegistry(): Registry {
  const owners = new Map<string, string>();
  const nodes = new Map<string, IdentityRow>();
  return {
    async owners(reader, keys) {
      const unread = [...new Set(keys)].filter((key) => !owners.has(key));
      if (unread.length > 0) {
        const where = [among('key', unread)];
        const limit = unread.length;
        const rows = await reader.find('keys', { namespace: everyNamespace, where, sort: oldestFirst, limit });
        for (const { key, identity } of rows) owners.set(key, identity);
      }
      return owners;
    },
    async nodeOf(reader, did) {
      const node = nodes.get(did) ?? (await findNode(reader, did));
      if (node !== undefined) nodes.set(did, node);
      return node;
    },
  };
}

async function findNode(reader: Reader, did: string): Promise<IdentityRow | undefined> {
  const find = async (field: string, value: string, type?: string) => {
    const where = [equal(field, value), ...(type === undefined ? [] : [equal('type', type)])];
    const [row] = await reader.find('identities', { namespace: everyNamespace, where, sort: oldestFirst, limit: 1 });
    return row;
  };
  const identity = await find('did', did);
  return identity === undefined ? undefined : find('parent', identity.parent ?? identity.did, 'node');
}
