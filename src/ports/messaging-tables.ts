import type { GroupMember } from '../wire/group.js';
import type { JsonText } from '../wire/scalar.js';
import type { Row } from './row.js';

/** A blob that is on this node's disk, once however many items have it. Unique by hash. */
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
}

/**
 * The next pin expected of a member in a private context (S §8.6). All members of a group have a row as soon as this
 * node knows the context; a context hash without rows here is a broadcast's. Unique by (context, identity).
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
 * The next nonce that this node seals with in a private context, ahead of what is expected by what is sealed and not
 * yet decided (S §8.2, 4). Unique by (context, identity).
 */
export interface NonceRow extends Row {
  readonly context: string;
  readonly identity: string;
  readonly nonce: number;
}

/**
 * The payload of a private batch that a peer has brought before its pin (S §8.4): nothing of it is visible. Unique by
 * (hash, peer).
 */
export interface CandidateRow extends Row {
  readonly hash: string;
  /** Id of the node that brought it. */
  readonly peer: string;
  readonly batch: string;
  readonly group: string;
  readonly groupName: string;
  readonly groupNamespace: string;
  readonly members: readonly GroupMember[];
  /** Of its text, which lies among the payloads. */
  readonly sizeBytes: number;
  readonly created: string;
}

/** A blob that an envelope of a peer has announced and that is not here yet. Unique by (blob, peer, source). */
export interface ClaimRow extends Row {
  readonly blob: string;
  readonly sizeBytes: number;
  /** Id of the node that will bring it. */
  readonly peer: string;
  /** Hash of the batch or unpinned message that needs it. */
  readonly source: string;
}

/** A datatype whose definition is confirmed (S §4.5). Unique by (namespace, name, version) and (namespace, id). */
export interface DatatypeRow extends Row {
  readonly id: string;
  readonly message: string;
  readonly name: string;
  readonly version: string;
  readonly hash: string;
  readonly value: JsonText;
  readonly created: string;
  /** Sequence of the pin of its definition: what was pinned before does not know it. */
  readonly pin: number;
}

/** What its owner has last said of an identity, as a namespace shows it (S §8.8). Unique by (namespace, identity). */
export interface ProfileRow extends Row {
  /** DID. */
  readonly identity: string;
  readonly description: string | null;
  /** Text of a JSON object. */
  readonly profile: JsonText | null;
  /** Id of the message that said it last, and when that was confirmed here. */
  readonly message: string;
  readonly updated: string;
}

/** A durable subscription (S §10.3). Unique by id and by (namespace, name). */
export interface SubscriptionRow extends Row {
  readonly id: string;
  readonly name: string;
  readonly transport: 'websockets' | 'webhooks';
  /** As it is served: the expressions, nested by their keys. */
  readonly filter: JsonText;
  /** As it is served, defaults filled in; `firstEvent` as submitted. */
  readonly options: JsonText;
  /** Sequence up to which every event is acknowledged or does not match (S §10.6). */
  readonly cursor: number;
  readonly created: string;
  /** When it was last replaced. */
  readonly updated: string | null;
}

/**
 * The text of a batch sealed here: uploaded, and sent again after a crash, byte for byte; or of a private batch of
 * another that has come before its pin. Unique by hash.
 */
export interface PayloadRow extends Row {
  readonly hash: string;
  readonly text: string;
}
