import { createHash } from 'node:crypto';
import { identityId } from '../../domain/network/identity.js';
import { profileRulesOfAuthor } from '../../domain/network/profile.js';
import { claimOf, identityRecord, lastChange, profileOf } from '../../pipeline/records/identities.js';
import type { Database } from '../../ports/database.js';
import type { ProfileRow } from '../../ports/tables/messaging-tables.js';
import type { IdentityRow, KeyRow } from '../../ports/tables/chain-tables.js';
import type { DidDocument, Identity, Verifier } from '../../wire/identities/identity.js';
import type { Derived } from '../lists/collection.js';

/** Limit for reading the whole registry, which has hundreds of members rather than tens of thousands. */
const maxMembers = 100_000;

/** The identities and their keys from the chain, in order of registration. */
interface Members {
  readonly identities: readonly IdentityRow[];
  readonly keys: readonly KeyRow[];
}

async function readMembers(database: Database): Promise<Members> {
  const [identities, keys] = await Promise.all([
    database.rows('identities', {}, { limit: maxMembers }),
    database.rows('keys', {}, { limit: maxMembers }),
  ]);
  return { identities, keys };
}

/** The profiles of identities in a namespace, by DID. */
async function readProfiles(database: Database, namespace: string): Promise<ReadonlyMap<string, ProfileRow>> {
  const rows = await database.rows('profiles', { namespace }, { limit: maxMembers });
  return new Map(rows.map((row) => [row.identity, row]));
}

function byIdentity(keys: readonly KeyRow[]): ReadonlyMap<string, readonly KeyRow[]> {
  const found = new Map<string, KeyRow[]>();
  for (const key of keys) found.set(key.identity, [...(found.get(key.identity) ?? []), key]);
  return found;
}

/** All identities of the network, with their profiles in a namespace (docs/api.md §21.2). */
export async function readIdentities(
  database: Database,
  namespace: string,
  hasVerifiers: boolean,
): Promise<readonly Derived<Identity>[]> {
  const [{ identities, keys }, profiles] = await Promise.all([
    readMembers(database),
    readProfiles(database, namespace),
  ]);
  const keysOf = byIdentity(hasVerifiers ? keys : []);
  return identities.map((row) => {
    const profileRow = profiles.get(row.did);
    const profile = profileOf(row, profileRow);
    const verifiers = verifiersOf(row, keysOf.get(row.did) ?? []);
    const shown = {
      ...identityRecord(row, profileRow, namespace),
      ...(hasVerifiers && { verifiers: verifiers.map(plain) }),
    };
    const { sequence, id, did, type, name, created } = row;
    const description = profileRow?.description ?? null;
    const parent = row.parent === null ? null : identityId(row.parent);
    const fields = { sequence, id, did, parent, type, name, description, profile: profile ?? null, created, shown };
    return {
      ...fields,
      updated: lastChange(row, profileRow),
      claim: claimOf(row, profileRow),
      update: profileRow?.message ?? null,
    };
  });
}

/** All verifiers of the network, with the profiles in a namespace (docs/api.md §21.2). */
export async function readVerifiers(database: Database, namespace: string): Promise<readonly Derived<Verifier>[]> {
  const { identities, keys } = await readMembers(database);
  const keysOf = byIdentity(keys);
  const all = identities.flatMap((row) => verifierRecords(row, keysOf.get(row.did) ?? [], namespace));
  return all.map((shown, index) => ({ ...shown, sequence: index + 1, shown }));
}

/** The verifiers of one identity. */
async function verifiersOfIdentity(database: Database, row: IdentityRow, namespace: string): Promise<Verifier[]> {
  const keys = await database.rows('keys', { identity: row.did }, { limit: maxMembers });
  return verifierRecords(row, keys, namespace);
}

/** The DID document of an identity. */
export async function didDocumentOf(database: Database, row: IdentityRow, namespace: string): Promise<DidDocument> {
  const verifiers = await verifiersOfIdentity(database, row, namespace);
  const { hasMisspeltKeys } = profileRulesOfAuthor(row.did);
  const named = (key: string) => ({
    blockchainAccountId: key,
    ...(hasMisspeltKeys && { blockchainAcountId: key }),
  });
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/secp256k1recovery-2020/v2'],
    id: row.did,
    authentication: verifiers.map(({ hash }) => `#${hash}`),
    verificationMethod: verifiers.map(({ hash, type, value }) =>
      type === 'ethereum_address'
        ? { id: hash, type: 'EcdsaSecp256k1VerificationKey2019', controller: row.did, ...named(value) }
        : { id: hash, type: 'FireFlyDataExchangePeerIdentity', controller: row.did, dataExchangePeerID: value },
    ),
  };
}

function verifiersOf(row: IdentityRow, keys: readonly KeyRow[]): Pick<Verifier, 'type' | 'value' | 'created'>[] {
  const { publicKeyHash } = row;
  return [
    ...keys.map(({ key, created }) => ({ type: 'ethereum_address' as const, value: key, created })),
    ...(publicKeyHash === null ? [] : [{ type: 'dx_peer_id' as const, value: publicKeyHash, created: row.created }]),
  ];
}

function verifierRecords(row: IdentityRow, keys: readonly KeyRow[], namespace: string): Verifier[] {
  return verifiersOf(row, keys).map(({ type, value, created }) => {
    const hash = createHash('sha256').update(namespace).update(type).update(value).digest('hex');
    return { hash, identity: row.id, namespace, type, value, created };
  });
}

function plain({ type, value }: Pick<Verifier, 'type' | 'value'>): Pick<Verifier, 'type' | 'value'> {
  return { type, value };
}
