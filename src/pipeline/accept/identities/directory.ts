import { spellingsOfDid } from '../../../domain/network/identity.js';
import type { Reader } from '../../../ports/database.js';
import type { IdentityRow } from '../../../ports/tables/chain-tables.js';
import type { Where } from '../../../ports/tables/where.js';
import { canonicalAddress } from '../../../wire/chain/address.js';

/** Organisations and custom identities by the text that callers use: DID, name or key. */
export type Parties = (text: string) => IdentityRow | undefined;

/**
 * Looks up identities by the texts that callers use. Identities, their keys and their organisations' nodes are never
 * changed or removed (docs/protocol.md §4.2), so rows are cached once found.
 */
export interface Directory {
  /** Looks up these texts, those not cached in one read. */
  parties(texts: readonly string[]): Promise<Parties>;
  nodesOf(organizations: readonly string[]): Promise<readonly IdentityRow[]>;
  keyOf(did: string): Promise<string | undefined>;
  /** Returns the names of all organisations, uncached. */
  organizations(): Promise<readonly string[]>;
  /** Returns all nodes, uncached. */
  allNodes(): Promise<readonly IdentityRow[]>;
}

/** A key has many spellings; beyond this number the cache is emptied. */
const maxKept = 10_000;
/** More than a network has. */
const maxNodes = 10_000;

export function createDirectory(database: Reader): Directory {
  const partyOf = new Map<string, IdentityRow>();
  const nodesOf = new Map<string, readonly IdentityRow[]>();
  const keys = new Map<string, string>();
  return {
    async parties(texts) {
      const unknown = texts.filter((text) => !partyOf.has(text));
      if (unknown.length === 0) return (text) => partyOf.get(text);
      const found = await findParties(database, unknown);
      const known = new Map(texts.map((text) => [text, partyOf.get(text) ?? found(text)]));
      if (partyOf.size > maxKept) partyOf.clear();
      for (const text of unknown) keep(partyOf, text, found(text));
      return (text) => known.get(text);
    },
    async nodesOf(organizations) {
      const unknown = [...new Set(organizations)].filter((did) => !nodesOf.has(did));
      const rows = unknown.length === 0 ? [] : await readNodes(database, { parent: unknown });
      for (const did of unknown) {
        const own = rows.filter(({ parent }) => parent === did);
        if (own.length > 0) nodesOf.set(did, own);
      }
      return organizations.flatMap((did) => nodesOf.get(did) ?? []);
    },
    async keyOf(did) {
      if (!keys.has(did)) keep(keys, did, (await database.first('keys', { identity: did }))?.key);
      return keys.get(did);
    },
    organizations: () => readOrganizations(database),
    allNodes: () => readNodes(database, {}),
  };
}

/** Returns the DID of the organisation that an identity belongs to, or is. */
export function organizationOf({ did, parent }: IdentityRow): string {
  return parent ?? did;
}

function keep<V>(map: Map<string, V>, key: string, value: V | undefined): void {
  if (value !== undefined) map.set(key, value);
}

async function findParties(database: Reader, texts: readonly string[]): Promise<Parties> {
  const asKeys = distinct(texts.map(canonicalAddress));
  const keys = await database.rows('keys', { key: asKeys }, { limit: asKeys.length });
  const ownerOf = new Map(keys.map(({ key, identity }) => [key, identity]));
  const dids = distinct([...texts.flatMap(spellingsOfDid), ...ownerOf.values()]);
  const byDid = mapOf(await database.rows('identities', { did: dids }, { limit: dids.length }), 'did');
  // Organisations and custom identities share unique names; nodes have names of their own, which may be the same.
  const names = distinct(texts);
  const named = await database.rows('identities', { name: names }, { limit: 2 * names.length });
  const byName = mapOf(named.filter(isParty), 'name');
  return (text) => {
    const spelled = spellingsOfDid(text).flatMap((did) => byDid.get(did) ?? [])[0];
    const identity = spelled ?? byDid.get(ownerOf.get(canonicalAddress(text)) ?? '');
    return identity !== undefined && isParty(identity) ? identity : byName.get(text);
  };
}

function isParty({ type }: IdentityRow): boolean {
  return type !== 'node';
}

function mapOf(rows: readonly IdentityRow[], field: 'did' | 'name'): Map<string, IdentityRow> {
  return new Map(rows.map((row) => [row[field], row]));
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

async function readOrganizations(database: Reader): Promise<readonly string[]> {
  return (await database.rows('identities', { type: 'org' }, { limit: maxNodes })).map(({ name }) => name);
}

function readNodes(database: Reader, where: Where<'identities'>): Promise<readonly IdentityRow[]> {
  return database.rows('identities', { type: 'node', ...where }, { limit: maxNodes });
}
