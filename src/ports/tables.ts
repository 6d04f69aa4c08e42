import type { DataReference } from '../wire/data.js';
import type { EventType } from '../wire/event.js';
import type { MessageState, MessageType } from '../wire/message.js';
import type { JsonText } from '../wire/scalar.js';

/**
 * The rows that the stages share. Every row has its namespace; what belongs to the network as a whole (pins, members,
 * keys, cursors, due contexts, waits) is in `svc_system`. `sequence` is counted by the one writer and rises in commit
 * order.
 */
interface Row {
  readonly sequence: number;
  readonly namespace: string;
}

/** A message of this node or a verified one of another. Unsealed = `ready` without a batch. Unique by (id, hash). */
export interface MessageRow extends Row {
  readonly id: string;
  readonly hash: string;
  readonly type: MessageType;
  readonly txtype: 'batch_pin';
  readonly author: string;
  readonly key: string;
  readonly created: string;
  readonly cid: string | null;
  readonly topics: readonly string[];
  readonly tag: string | null;
  readonly datahash: string;
  readonly data: readonly DataReference[];
  readonly pins: readonly string[];
  /** S §3.3: 1024 + the bytes of the texts of its values. */
  readonly sizeBytes: number;
  readonly state: MessageState;
  readonly batch: string | null;
  readonly batchHash: string | null;
  readonly txid: string | null;
  /** Time of the decision, whichever it was. */
  readonly confirmed: string | null;
  readonly rejectReason: string | null;
  readonly idempotencyKey: string | null;
  /**
   * The order of lists (S §2.2): the time of decision, or `~` and `created` while undecided, which sorts above all
   * times.
   */
  readonly rank: string;
}

/** Unique by (id, hash): an arriving item never changes a stored one (S §4.1). */
export interface DataRow extends Row {
  readonly id: string;
  readonly hash: string;
  readonly validator: string;
  readonly created: string;
  readonly value: JsonText;
}

/**
 * `sealed`: built here, its pin not mined yet. `pinned`: mined, the event not processed yet. `wanted`: its pin is here,
 * its payload is not. `held`: pinned, here and verified. `void`: pinned, has the pinned hash, and proven invalid for
 * that pin.
 */
export type BatchState = 'sealed' | 'pinned' | 'wanted' | 'held' | 'void';

/** Unique by (id, hash, signer): ids are public on chain and could be squatted (S §8.3). */
export interface BatchRow extends Row {
  readonly id: string;
  readonly hash: string;
  readonly signer: string;
  readonly author: string;
  readonly node: string | null;
  readonly type: 'broadcast';
  readonly txid: string;
  readonly created: string | null;
  readonly payloadRef: string | null;
  /** Once the payload is known: its messages in order, with the number of contexts that each takes among the pins. */
  readonly manifest: readonly ManifestEntry[] | null;
  readonly state: BatchState;
  /** Why it is void. */
  readonly reason: string | null;
  /** When its pin was processed here. */
  readonly confirmed: string | null;
}

export interface ManifestEntry {
  readonly id: string;
  readonly hash: string;
  readonly topics: number;
}

/** The text of a batch sealed here: uploaded, and sent again after a crash, byte for byte. Unique by hash. */
export interface PayloadRow extends Row {
  readonly hash: string;
  readonly text: string;
}

/** One context of a pinned batch, in chain order of `sequence`. Unique by (batch, batchHash, signer, index). */
export interface PinRow extends Row {
  readonly context: string;
  readonly masked: boolean;
  readonly batch: string;
  readonly batchHash: string;
  readonly signer: string;
  /** DID of the owner of the signer's key at this place of the chain. */
  readonly identity: string;
  readonly index: number;
  readonly spent: boolean;
  readonly block: number;
  readonly created: string;
}

/** A context that must be looked at. Unique by context. */
export interface DueRow extends Row {
  readonly context: string;
}

/** Why the head of a context cannot be decided. Unique by (context, on). */
export interface WaitRow extends Row {
  readonly context: string;
  /** `batch:<id>/<hash>/<signer>` or `context:<hash>`. */
  readonly on: string;
  readonly since: string;
}

export type OperationStatus = 'Initialized' | 'Pending' | 'Succeeded' | 'Failed';
export type OperationType = 'sharedstorage_upload_batch' | 'sharedstorage_download_batch' | 'blockchain_pin_batch';

/** A unit of outside work (architecture, 6). Unique by id. */
export interface OperationRow extends Row {
  readonly id: string;
  readonly tx: string;
  readonly type: OperationType;
  readonly lane: string;
  readonly plugin: string;
  readonly status: OperationStatus;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  readonly created: string;
  readonly updated: string;
  readonly retry: string | null;
  /** The batch that it is about. */
  readonly batch: string;
  readonly batchHash: string;
  readonly signer: string;
  /** Of a chain call, stored before it is first sent: a repeat sends the same bytes. */
  readonly nonce: number | null;
  readonly raw: string | null;
}

/** FireFly's record that groups operations. Unique by id. */
export interface TransactionRow extends Row {
  readonly id: string;
  readonly type: 'batch_pin';
  readonly created: string;
  readonly blockchainIds: readonly string[];
}

/** Unique by id, and by (namespace, type, reference, referenceHash): a message is decided once. */
export interface EventRow extends Row {
  readonly id: string;
  readonly type: EventType;
  readonly reference: string;
  /** Hash of the message referred to: messages are keyed by (id, hash). */
  readonly referenceHash: string;
  readonly correlator: string | null;
  readonly tx: string | null;
  readonly topic: string | null;
  /** All topics of the message; topic filters match any. */
  readonly topics: readonly string[];
  readonly created: string;
}

/** An organisation, a node or a custom identity of the registry. Unique by did. */
export interface IdentityRow extends Row {
  readonly id: string;
  readonly did: string;
  readonly type: 'org' | 'node' | 'custom';
  /** DID of the organisation that a node or custom identity belongs to. */
  readonly parent: string | null;
  readonly name: string;
  readonly created: string;
  /** Of nodes: where it listens for its peers, and the public-key hash of its certificate. */
  readonly endpoint: string | null;
  readonly publicKeyHash: string | null;
}

/** A registered signing key and the identity that owns it. Unique by key. */
export interface KeyRow extends Row {
  readonly key: string;
  readonly identity: string;
  readonly created: string;
}

/** How far a set of chain logs is read. Unique by source. */
export interface CursorRow extends Row {
  readonly source: string;
  readonly genesisHash: string;
  readonly contract: string;
  readonly block: number;
  readonly blockHash: string;
}

export interface Tables {
  readonly messages: MessageRow;
  readonly data: DataRow;
  readonly batches: BatchRow;
  readonly payloads: PayloadRow;
  readonly pins: PinRow;
  readonly due: DueRow;
  readonly waits: WaitRow;
  readonly operations: OperationRow;
  readonly transactions: TransactionRow;
  readonly events: EventRow;
  readonly identities: IdentityRow;
  readonly keys: KeyRow;
  readonly cursors: CursorRow;
}

export type TableName = keyof Tables;
export type NewRow<T extends TableName> = Omit<Tables[T], 'sequence'>;
