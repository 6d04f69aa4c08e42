import { canonicalDid, methodOf } from '../../../domain/network/identity.js';
import type { IdentityRow } from '../../../ports/tables/chain-tables.js';
import { canonicalAddress } from '../../../wire/chain/address.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import type { Directory } from './directory.js';

export interface Author {
  readonly author: string;
  readonly key: string;
}

/** Whether this node signs with a key, a lower-case address. Finds keys just added to the wallet too. */
export async function holdsKey(own: OwnIdentity, key: string): Promise<boolean> {
  if (own.keys.includes(key)) return true;
  await own.refreshKeys?.();
  return own.keys.includes(key);
}

/**
 * Returns the key that signs a contract call: any key held here, registered or not; by default the organisation's.
 *
 * @throws ServiceError author_refused
 */
export async function resolveSigner(own: OwnIdentity, given: string | undefined): Promise<string> {
  const key = given === undefined ? own.key : canonicalAddress(given);
  if (await holdsKey(own, key)) return key;
  throw refusal(`PY1502 the key "${given}" is not held here; this node signs with ${own.key}.`);
}

/**
 * Returns the author of a request (docs/api.md §10.3). A node only speaks for its own organisation and for custom
 * identities whose keys it holds; a request for another author is refused, never changed.
 *
 * @throws ServiceError author_refused
 */
export async function resolveAuthor(
  directory: Directory,
  own: OwnIdentity,
  given: { readonly author?: string; readonly key?: string } = {},
): Promise<Author> {
  const key = given.key === undefined ? undefined : canonicalAddress(given.key);
  const isOrganization = given.author === undefined || isOwn(own, given.author);
  if (isOrganization && (key === undefined || key === own.key)) return { author: own.did, key: own.key };
  const named = given.author === undefined ? undefined : await findOwnParty(directory, own, given.author);
  if (key === undefined) return { author: named?.did ?? own.did, key: await heldKey(directory, own, named?.did) };
  if (!(await holdsKey(own, key))) {
    throw refusal(`PY1502 the key "${key}" is not held here; this node signs with ${own.key}.`);
  }
  const owner = (await directory.parties([key]))(key);
  if (owner === undefined) throw refusal(`FF10356 the key "${key}" is not registered.`);
  if (named !== undefined && named.did !== owner.did) {
    throw refusal(`FF10355 the key "${key}" belongs to ${owner.did}, not to ${named.did}.`);
  }
  // Another member may have registered a key that is also in this wallet.
  if (!isOfOwn(own, owner)) {
    throw refusal(
      `PY1502 the key "${key}" belongs to ${owner.did}, which is not this node's; it speaks for ${own.did}.`,
    );
  }
  return { author: owner.did, key };
}

function isOwn(own: OwnIdentity, author: string): boolean {
  return (
    author === own.organization ||
    canonicalDid(author, methodOf(own.did)) === own.did ||
    canonicalAddress(author) === own.key
  );
}

async function findOwnParty(directory: Directory, own: OwnIdentity, author: string): Promise<IdentityRow> {
  const identity = (await directory.parties([author]))(author);
  if (identity === undefined) throw refusal(`FF10277 the network has no identity "${author}".`);
  if (!isOfOwn(own, identity)) {
    throw refusal(`PY1502 the author "${author}" is not this node's; it speaks for ${own.did}.`);
  }
  return identity;
}

function isOfOwn(own: OwnIdentity, { did, parent }: IdentityRow): boolean {
  return did === own.did || parent === own.did;
}

/** Every identity has one key, so the author determines it. */
async function heldKey(directory: Directory, own: OwnIdentity, did = own.did): Promise<string> {
  const key = await directory.keyOf(did);
  if (key !== undefined && own.keys.includes(key)) return key;
  throw refusal(`FF10354 the key of ${did} is not held here.`);
}

function refusal(inner: string): ServiceError {
  return new ServiceError('author_refused', { inner });
}
