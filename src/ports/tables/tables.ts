import type { DataReference } from '../../wire/data/data.js';
import type { EventType } from '../../wire/events/event.js';
import type { MessageState, MessageType, ParentType, TxType } from '../../wire/messages/message.js';
import type { JsonText } from '../../wire/scalar.js';
import type { CursorRow, IdentityRow, KeyRow, NetworkRow } from './chain-tables.js';
import type { ApiRow, BlockchainEventRow, InterfaceRow, ListenerRow, SourceRow } from './contract-tables.js';
import type {
  BlobRow,
  CandidateRow,
  ClaimRow,
  DatatypeRow,
  GroupRow,
  NextPinRow,
  NonceRow,
  PayloadRow,
  ProfileRow,
  SubscriptionRow,
} from './messaging-tables.js';
import type { Row } from './row.js';
import type { AccountPoolRow, AccountRow, ApprovalRow, BalanceRow, PoolRow, TransferRow } from './token-tables.js';
import type { DueRow, JudgementRow, WaitRow } from './waiting-tables.js';

/**
 * A message of this node, or a verified one of another. Unsealed = `ready`, `batch_pin`, without a batch. Unique by
 * (id, hash).
 */
export interface MessageRow extends Row {
  readonly id: string;
  readonly hash: string;
  readonly type: MessageType;
  readonly txtype: TxType;
  readonly author: string;
  readonly key: string;
  readonly created: string;
  /** Hash of the group of a private message. */
  readonly group: string | null;
  readonly cid: string | null;
  readonly topics: readonly string[];
  readonly tag: string | null;
  readonly datahash: string;
  /** Type and id of the transaction of the operation that it belongs to (docs/protocol.md §5.1). */
  readonly parentType: ParentType | null;
  readonly parentId: string | null;
  readonly data: readonly ItemReference[];
  /** One per topic; empty for a private message until it is sealed, and always for an unpinned one. */
  readonly pins: readonly string[];
  /** The author's nonce in each topic, for a sealed private message. */
  readonly nonces: readonly number[] | null;
  /** Whether an item has a blob: a broadcast is then held until the blob is in the shared store. */
  readonly hasBlobs: boolean;
  /** Whether an item names a datatype: the verdict then depends on more than the message (docs/protocol.md §8.6). */
  readonly hasDatatypes: boolean;
  /** Size charged by docs/protocol.md §5.3: 1024 + the bytes of its values' texts. */
  readonly sizeBytes: number;
  /** Validation steps charged in a batch; only for messages accepted here. */
  readonly steps: number;
  readonly state: MessageState;
  readonly batch: string | null;
  readonly batchHash: string | null;
  readonly txid: string | null;
  /** Time of the decision, in the column that matches the state. */
  readonly confirmed: string | null;
  readonly rejected: string | null;
  readonly rejectReason: string | null;
  readonly idempotencyKey: string | null;
  /**
   * The sort key of lists (docs/api.md §8.2): the time of the decision, or `~` and `created` while undecided, which
   * sorts after all times.
   */
  readonly rank: string;
}

/** A message's reference to an item, with the seal of the item's description. */
export type ItemReference = DataReference & Pick<DataRow, 'seal'>;

/** A data item. Unique by (id, hash, seal): an arriving item never changes a stored one (docs/api.md §11.1). */
export interface DataRow extends Row {
  readonly id: string;
  readonly hash: string;
  readonly validator: string;
  readonly created: string;
  /** The JSON text `null` if there is a blob and no value. */
  readonly value: JsonText;
  readonly datatypeName: string | null;
  readonly datatypeVersion: string | null;
  readonly blobHash: string | null;
  readonly blobSize: number | null;
  readonly blobName: string | null;
  readonly blobPath: string | null;
  /** Reference of the blob in the shared store, once it is uploaded. */
  readonly blobPublic: string | null;
  /** Reference of the value in the shared store, once it is published. */
  readonly public: string | null;
  /** `sealOfItem`; empty in rows of earlier versions. */
  readonly seal: string;
}

/**
 * `sealed`: built here, its pin not mined yet. `pinned`: mined, the event not processed yet. `wanted`: its pin is
 * known, its payload is not. `held`: pinned, and its payload is here and verified. `void`: its payload has the pinned
 * hash but is invalid for that pin. `cancelled`: sealed here, and its pin failed permanently (docs/api.md §12).
 */
export type BatchState = 'sealed' | 'pinned' | 'wanted' | 'held' | 'void' | 'cancelled';

/**
 * A batch. Unique by (id, hash, signer): ids are public on the chain, so others can use them first (docs/protocol.md
 * §8.1).
 */
export interface BatchRow extends Row {
  readonly id: string;
  readonly hash: string;
  readonly signer: string;
  readonly author: string;
  readonly node: string | null;
  readonly type: 'broadcast' | 'private';
  /** Hash of the group of a private batch, once the payload is known. */
  readonly group: string | null;
  readonly txid: string;
  readonly created: string | null;
  readonly payloadRef: string | null;
  /** The messages in order, each with its number of contexts among the pins; set once the payload is known. */
  readonly manifest: readonly ManifestEntry[] | null;
  readonly state: BatchState;
  /** The reason why it is void. */
  readonly reason: string | null;
  /** Time at which its pin was processed here. */
  readonly confirmed: string | null;
}

export interface ManifestEntry {
  readonly id: string;
  readonly hash: string;
  readonly topics: number;
  /** This batch's description of the message's items; absent for a batch sealed here, whose message row has it. */
  readonly items?: ListedItems;
}

export type ListedItems = Pick<MessageRow, 'data' | 'hasBlobs' | 'hasDatatypes' | 'sizeBytes'>;

/** One context of a pinned batch, in chain order of `sequence`. Unique by (batch, batchHash, signer, index). */
export interface PinRow extends Row {
  readonly context: string;
  readonly masked: boolean;
  readonly batch: string;
  readonly batchHash: string;
  readonly signer: string;
  /** DID of the owner of the signing key at this position of the chain. */
  readonly identity: string;
  readonly index: number;
  readonly spent: boolean;
  readonly block: number;
  readonly created: string;
}

export type OperationStatus = 'Initialized' | 'Pending' | 'Succeeded' | 'Failed';
export type OperationType =
  | 'sharedstorage_upload_batch'
  | 'sharedstorage_download_batch'
  | 'sharedstorage_upload_blob'
  | 'sharedstorage_upload_value'
  | 'sharedstorage_download_blob'
  | 'blockchain_pin_batch'
  | 'blockchain_register_identity'
  | 'blockchain_deploy'
  | 'blockchain_invoke'
  | 'token_create_pool'
  | 'token_activate_pool'
  | 'token_transfer'
  | 'token_approval'
  | 'dataexchange_send_batch'
  | 'dataexchange_send_blob'
  | 'dataexchange_request_batch';

/** A piece of work outside the node. Unique by id. */
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
  /** The batch that the operation belongs to; empty texts if there is none. */
  readonly batch: string;
  readonly batchHash: string;
  readonly signer: string;
  /** Hash of the blob that it transfers. */
  readonly blob: string | null;
  /** Nonce and signed bytes of a chain call, stored before it is first sent, so that a repeat sends the same bytes. */
  readonly nonce: number | null;
  readonly raw: string | null;
  /** Hash of the signed transaction, which links events of the chain to this operation (docs/protocol.md §13.1). */
  readonly transactionHash: string | null;
}

export type TransactionType =
  | 'batch_pin'
  | 'none'
  | 'unpinned'
  | 'data_publish'
  | 'identity'
  | 'token_pool'
  | 'token_transfer'
  | 'token_approval'
  | 'contract_deploy'
  | 'contract_invoke';

/** FireFly's transaction, which groups operations. Unique by id, and by (namespace, idempotencyKey). */
export interface TransactionRow extends Row {
  readonly id: string;
  readonly type: TransactionType;
  readonly created: string;
  readonly idempotencyKey: string | null;
  readonly blockchainIds: readonly string[];
}

/** An event. Unique by id, and by (namespace, type, reference, referenceHash): a message is decided once. */
export interface EventRow extends Row {
  readonly id: string;
  readonly type: EventType;
  readonly reference: string;
  /** Hash of the message referred to, since messages are keyed by (id, hash); empty for other references. */
  readonly referenceHash: string;
  readonly correlator: string | null;
  readonly tx: string | null;
  readonly topic: string | null;
  /** All topics of the message; topic filters match any. */
  readonly topics: readonly string[];
  /** Copied from the message referred to, so that filters need only the event; null for other references. */
  readonly author: string | null;
  readonly group: string | null;
  readonly tag: string | null;
  /** Type of the transaction. */
  readonly txtype: TransactionType | null;
  /** The name and listener id of a blockchain event. */
  readonly chainName: string | null;
  readonly listener: string | null;
  readonly created: string;
}

export interface Tables {
  readonly messages: MessageRow;
  readonly data: DataRow;
  readonly blobs: BlobRow;
  readonly groups: GroupRow;
  readonly datatypes: DatatypeRow;
  readonly profiles: ProfileRow;
  readonly batches: BatchRow;
  readonly payloads: PayloadRow;
  readonly candidates: CandidateRow;
  readonly claims: ClaimRow;
  readonly nonces: NonceRow;
  readonly nextpins: NextPinRow;
  readonly pins: PinRow;
  readonly due: DueRow;
  readonly waits: WaitRow;
  readonly judgements: JudgementRow;
  readonly operations: OperationRow;
  readonly transactions: TransactionRow;
  readonly events: EventRow;
  readonly subscriptions: SubscriptionRow;
  readonly identities: IdentityRow;
  readonly keys: KeyRow;
  readonly cursors: CursorRow;
  readonly networks: NetworkRow;
  readonly pools: PoolRow;
  readonly transfers: TransferRow;
  readonly approvals: ApprovalRow;
  readonly balances: BalanceRow;
  readonly accounts: AccountRow;
  readonly accountpools: AccountPoolRow;
  readonly sources: SourceRow;
  readonly interfaces: InterfaceRow;
  readonly apis: ApiRow;
  readonly listeners: ListenerRow;
  readonly blockchainevents: BlockchainEventRow;
}

export type TableName = keyof Tables;
export type NewRow<T extends TableName> = Omit<Tables[T], 'sequence'>;
