import type { Unit } from '../../../ports/database.js';
import type { BroadcastRequest, HashedHeader, Message, PrivateRequest } from '../../../wire/messages/message.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { AttachedMessage } from '../../../wire/token.js';
import type { Bell } from '../../bus.js';

/** A record that all members decide on, at its position in the order of its topics (docs/protocol.md §9.1). */
export interface Definition {
  readonly tag: string;
  readonly topics: readonly string[];
  readonly value: JsonText;
  readonly author?: string | undefined;
  readonly key?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/**
 * Seals requests into message rows. Each call resolves with the API's record once the message is on disk. All checks
 * precede the first write, so a refused request leaves nothing and its idempotency key stays free (docs/api.md §5,
 * §10.2).
 *
 * Throws ServiceError for faults of the request: those of request.ts, author.ts, group.ts and data.ts, of names,
 * too_large_to_broadcast, too_large_to_send, idempotency_key_used.
 */
export interface Sender {
  readonly acceptMessage: (namespace: string, request: BroadcastRequest) => Promise<Message>;
  /** Accepts a private message; an unpinned one is confirmed at once (docs/protocol.md §11.5). */
  readonly acceptPrivate: (namespace: string, request: PrivateRequest) => Promise<Message>;
  /** Accepts a definition of this node; it is sent in the system namespace. */
  readonly acceptDefinition: (definition: Definition) => Promise<Message>;
  /** Prepares a definition to be stored together with other rows. */
  readonly prepareDefinition: (definition: Definition) => Promise<Prepared>;
  /**
   * Seals a message to be stored together with its operation. It stays `staged` until the operation has succeeded,
   * which `pipeline/state/messages/staged.ts` records (docs/api.md §19.3, §20).
   */
  readonly prepareStaged: (namespace: string, request: AttachedMessage, parent: Parent) => Promise<Prepared>;
}

/** The transaction of the operation that a message belongs to. */
export type Parent = NonNullable<HashedHeader['txparent']>;

/** A sealed message that is not stored yet. */
export interface Prepared {
  /** The API's record. */
  readonly message: Message;
  /** Stores the message; returns the bells to ring after the commit. */
  readonly store: (unit: Unit) => Promise<readonly Bell[]>;
  /** Rings the bells and counts the message; called after the commit. */
  readonly announce: (bells: readonly Bell[]) => void;
}
