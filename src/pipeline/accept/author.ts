import { canonicalDid } from '../../domain/identity.js';
import { ServiceError } from '../../wire/error.js';

/** Who a message is from: the identity, and the key that signs its pin. */
export interface Author {
  readonly author: string;
  readonly key: string;
}

/** What this node speaks for. */
export interface OwnIdentity {
  readonly organization: string;
  readonly did: string;
  /** Its signing key, an address in lower case. */
  readonly key: string;
}

/**
 * The author of a request (S §3.4). A node speaks only for its own organisation; the name, DID or key of anybody else
 * is refused, never silently replaced.
 *
 * @throws ServiceError author_refused
 */
export function resolveAuthor(own: OwnIdentity, given: { author?: string; key?: string } = {}): Author {
  if (given.author !== undefined && !isOwn(own, given.author)) {
    throw refusal(`PY1502 the author "${given.author}" is not this node's; it speaks for ${own.did}.`);
  }
  if (given.key !== undefined && given.key.toLowerCase() !== own.key) {
    throw refusal(`PY1502 the key "${given.key}" is not held here; this node signs with ${own.key}.`);
  }
  return { author: own.did, key: own.key };
}

function isOwn(own: OwnIdentity, author: string): boolean {
  return author === own.organization || canonicalDid(author) === own.did || author.toLowerCase() === own.key;
}

function refusal(inner: string): ServiceError {
  return new ServiceError('author_refused', { inner });
}
