import { canonicalDid } from '../../domain/identity.js';
import { everyNamespace, type Reader } from '../../ports/database.js';
import type { IdentityRow, TableName, Tables } from '../../ports/tables.js';
import { among, oldestFirst } from '../../wire/query.js';

/** Organisations and custom identities as callers name them: by DID, by name or by key. */
export type Parties = (text: string) => IdentityRow | undefined;

/** Reads at once who is meant by these texts, as the registry has it now. */
export async function findParties(database: Reader, texts: readonly string[]): Promise<Parties> {
  const keys = await findAmong(
    database,
    'keys',
    'key',
    texts.map((text) => text.toLowerCase()),
  );
  const ownerOf = new Map(keys.map(({ key, identity }) => [key, identity]));
  const dids = [...texts.map(canonicalDid), ...ownerOf.values()];
  const byDid = mapOf(await findAmong(database, 'identities', 'did', dids), 'did');
  // The names of organisations and custom identities are unique together; those of nodes are apart.
  const named = await findAmong(database, 'identities', 'name', texts);
  const byName = mapOf(named.filter(isParty), 'name');
  return (text) => {
    const identity = byDid.get(canonicalDid(text)) ?? byDid.get(ownerOf.get(text.toLowerCase()) ?? '');
    return identity !== undefined && isParty(identity) ? identity : byName.get(text);
  };
}

/** DID of the organisation that an identity belongs to, or is. */
export function organizationOf({ did, parent }: IdentityRow): string {
  return parent ?? did;
}

function isParty({ type }: IdentityRow): boolean {
  return type !== 'node';
}

function mapOf(rows: readonly IdentityRow[], field: 'did' | 'name'): Map<string, IdentityRow> {
  return new Map(rows.map((row) => [row[field], row]));
}

/** A name can be that of a node, too, so a text may find two rows. */
async function findAmong<T extends TableName>(
  database: Reader,
  table: T,
  field: string,
  values: readonly string[],
): Promise<readonly Tables[T][]> {
  const distinct = [...new Set(values)];
  if (distinct.length === 0) return [];
  const query = { namespace: everyNamespace, where: [among(field, distinct)], sort: oldestFirst } as const;
  return database.find(table, { ...query, limit: distinct.length * 2 });
}
