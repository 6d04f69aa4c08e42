import type { GroupMember } from '../../wire/messages/group.js';
import type { JsonText } from '../../wire/scalar.js';
import type { Row } from './row.js';

/** A blob on this node's disk, stored once however many items have it. Unique by hash. */
export interface BlobRow extends Row {
  readonly hash: string;
  readonly sizeBytes: number;
  readonly created: string;
}

/** A group of this node. Unique by hash. */
export interface GroupRow extends Row {
  readonly hash: string;
  readonly name: string;
  /** Sorted by identity, then node. */
  readonly members: readonly GroupMember[];
  readonly created: string;
  /** Id of the message with which it came to be known here; null in rows of earlier versions. */
  readonly message: string | null;
}

/**
 * The next pin expected of a member in a private context (docs/protocol.md §8.4). All members of a group have a row as
 * soon as this node knows the context; a context hash without rows belongs to a broadcast. Unique by (context,
 * identity).
 */
export interface NextPinRow extends Row {
  readonly context: string;
  readonly topic: string;
  readonly group: string;
  readonly identity: string;
  readonly nonce: number;
  /** The masked pin of that nonce. */
  readonly hash: string;
}

/**
 * The next nonce with which this node seals in a private context. It is ahead of the expected nonce by the number of
 * sealed and undecided messages (docs/protocol.md §7.2). Unique by (context, identity).
 */
export interface NonceRow extends Row {
  readonly context: string;
  readonly identity: string;
  readonly nonce: number;
}

/**
 * The payload of a private batch that a peer has sent before its pin (docs/protocol.md §8.2); nothing of it is visible
 * yet. Unique by (hash, peer).
 */
export interface CandidateRow extends Row {
  readonly hash: string;
  /** Id of the node that sent it. */
  readonly peer: string;
  readonly batch: string;
  readonly group: string;
  readonly groupName: string;
  readonly groupNamespace: string;
  readonly members: readonly GroupMember[];
  /** Size of its text, which is stored with the payloads. */
  readonly sizeBytes: number;
  readonly created: string;
}

/** A blob that a peer's envelope has announced and that has not arrived. Unique by (blob, peer, source). */
export interface ClaimRow extends Row {
  readonly blob: string;
  readonly sizeBytes: number;
  /** Id of the node that will send it. */
  readonly peer: string;
  /** Hash of the batch or unpinned message that needs it. */
  readonly source: string;
}

/**
 * A datatype with a confirmed definition (docs/protocol.md §9.2). Unique by (namespace, name, version) and (namespace,
 * id).
 */
export interface DatatypeRow extends Row {
  readonly id: string;
  readonly message: string;
  readonly name: string;
  readonly version: string;
  readonly hash: string;
  readonly value: JsonText;
  readonly created: string;
  /** Sequence of the pin of its definition; messages pinned before it do not know the datatype. */
  readonly pin: number;
}

/**
 * The latest profile of an identity in a namespace, set by its owner (docs/protocol.md §9.6). Unique by (namespace,
 * identity).
 */
export interface ProfileRow extends Row {
  /** DID. */
  readonly identity: string;
  readonly description: string | null;
  /** A JSON object as text. */
  readonly profile: JsonText | null;
  /** Id of the message that set it first; null in rows of earlier versions. */
  readonly claim: string | null;
  /** Id of the message that last set it, and the time of its confirmation here. */
  readonly message: string;
  readonly updated: string;
}

/** A durable subscription (docs/api.md §14.1). Unique by id and by (namespace, name). */
export interface SubscriptionRow extends Row {
  readonly id: string;
  readonly name: string;
  readonly transport: 'websockets' | 'webhooks';
  /** As it is served: the expressions, nested by key. */
  readonly filter: JsonText;
  /** As they are served, with defaults; rows of earlier versions have `firstEvent` as it was submitted. */
  readonly options: JsonText;
  /** Sequence up to which every event is acknowledged or does not match (docs/api.md §14.4). */
  readonly cursor: number;
  readonly created: string;
  /** Time of its last replacement. */
  readonly updated: string | null;
  /**
   * The name of the credential that created it, or replaced it last; null without authentication, and in rows of
   * earlier versions.
   */
  readonly maker: string | null;
}

/**
 * The text of a batch: either sealed here, to be uploaded and sent again byte for byte after a crash, or a private one
 * of another node that arrived before its pin. Unique by hash.
 */
export interface PayloadRow extends Row {
  readonly hash: string;
  readonly text: string;
}
