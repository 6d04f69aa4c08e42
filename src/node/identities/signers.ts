import type { IncomingMessage } from 'node:http';
import { createDirectory } from '../../pipeline/accept/identities/directory.js';
import type { OwnIdentity } from '../../pipeline/state/identities/own-identity.js';
import type { Reader } from '../../ports/database.js';
import { canonicalAddress } from '../../wire/chain/address.js';
import type { Route } from '../../wire/route.js';
import type { Access } from '../requests/access.js';

/** An author and a key, as a request names them. */
interface Signer {
  readonly author: string | undefined;
  readonly key: string | undefined;
}

export interface SignerParts {
  readonly database: Reader;
  readonly access: Access;
  readonly own: Pick<OwnIdentity, 'key' | 'did'>;
}

/**
 * Checks the signer of a request. Other rights cover the organisation's own key; every other key of the wallet needs
 * its grant (docs/api.md §7).
 *
 * @throws ServiceError forbidden
 */
export function requireSigner(
  { access, own }: { readonly access: Pick<Access, 'requireKey'>; readonly own: Pick<OwnIdentity, 'key'> },
  request: IncomingMessage,
  key: string,
): void {
  if (key !== own.key) access.requireKey(request, key);
}

/**
 * Creates the check that a caller may sign as a request asks (`requireSigner`), whether the request names the key or
 * its author.
 *
 * @throws ServiceError forbidden
 */
export function createSignerCheck({ database, access, own }: SignerParts) {
  const directory = createDirectory(database);

  /** The key of an identity below this organisation; undefined for any other author, who is refused elsewhere. */
  async function keyOf(author: string | undefined): Promise<string | undefined> {
    if (author === undefined) return undefined;
    const identity = (await directory.parties([author]))(author);
    return identity?.parent === own.did ? directory.keyOf(identity.did) : undefined;
  }

  return async (request: IncomingMessage, body: unknown, { signs }: Pick<Route, 'signs'>): Promise<void> => {
    if (!access.isLimited(request)) return;
    for (const { author, key } of signersOf(body, signs === true)) {
      const signing = key === undefined ? await keyOf(author) : canonicalAddress(key);
      if (signing !== undefined) requireSigner({ access, own }, request, signing);
    }
  };
}

/**
 * The signers that a request names: its own, unless it is only a query, and those of a message that it is or contains.
 */
function signersOf(body: unknown, signs: boolean): readonly Signer[] {
  const parts = [signs ? body : undefined, memberOf(body, 'header'), memberOf(memberOf(body, 'message'), 'header')];
  return parts.map((part) => ({ author: textOf(part, 'author'), key: textOf(part, 'key') }));
}

function memberOf(value: unknown, name: string): unknown {
  return value instanceof Object && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' && member !== '' ? member : undefined;
}
