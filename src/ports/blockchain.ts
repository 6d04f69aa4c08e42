import type { ContractQuery, QueryAnswer } from './contract-query.js';

/** The position of a log on the chain. The total order is by block, then transaction, then log. */
export interface ChainPosition {
  readonly block: number;
  readonly transactionIndex: number;
  readonly logIndex: number;
}

/** Pins a batch: its contexts take their positions in the order (docs/protocol.md §7.4). */
export interface PinCall {
  readonly type: 'pin_batch';
  readonly transactionId: string;
  readonly batchId: string;
  /** 64 lower-case hexadecimal characters, like every hash here. */
  readonly batchHash: string;
  /** CID of the payload; empty for private batches. */
  readonly payloadRef: string;
  readonly contexts: readonly string[];
}

/** Adds a key for a member's custom identity or child organisation (docs/protocol.md §4.2); called by the member. */
export interface KeyCall {
  readonly type: 'add_key';
  readonly name: string;
  readonly isOrganization?: true | undefined;
  /** The address. */
  readonly key: string;
}

/** Publishes the endpoint of a member's node and the hash of its public key; called by the member. */
export interface NodeCall {
  readonly type: 'set_node';
  readonly endpoint: string;
  readonly publicKeyHash: string;
}

/**
 * Gas limit of a transaction on current chains (EIP-7825). The local chain enforces it, and calls for users keep to it;
 * on a chain that allows more, the estimate is used.
 */
export const maxTransactionGas = 16_777_216;

/** A call of any contract; the caller sets its gas limit. */
export interface ContractCall {
  readonly type: 'contract';
  /** Address in lower case; null deploys `data`, which is creation code with its arguments. */
  readonly to: string | null;
  /** `0x` and hexadecimal digits. */
  readonly data: string;
  /** Gas limit. */
  readonly gas: number;
  /** Wei sent with the call, as decimal digits. */
  readonly value: string;
}

export type ChainCall = PinCall | KeyCall | NodeCall | ContractCall;

export interface SignedCall {
  /** The signed transaction as `0x` hex. */
  readonly raw: string;
  readonly transactionHash: string;
}

export type Receipt =
  | {
      readonly status: 'success';
      readonly transactionHash: string;
      readonly block: number;
      /** Its position in the block, if the server reported it. */
      readonly transactionIndex?: number;
      /** Address of the deployed contract. */
      readonly contract?: string;
    }
  | {
      readonly status: 'reverted';
      readonly transactionHash: string;
      readonly block: number;
      readonly reason: string;
      /** Revert data, `0x…`, as far as it can be found. */
      readonly data: string;
    };

interface LogBase {
  readonly position: ChainPosition;
  /** Hash of its block and id of its chain, for display; absent for logs that were not read from a chain. */
  readonly blockHash?: string;
  readonly chainId?: number;
  readonly transactionHash: string;
  /** Time of the block, ISO 8601 with three fractional digits. */
  readonly time: string;
}

/** The network was created, with the limits that decide validity on all its nodes (docs/protocol.md §14). */
export interface CreationLog extends LogBase {
  readonly type: 'network_created';
  /** JSON text. */
  readonly limits: string;
}

/** The operator added an organisation with its key and node. */
export interface MemberLog extends LogBase {
  readonly type: 'member_added';
  readonly organization: string;
  readonly key: string;
  readonly node: string;
  readonly endpoint: string;
  readonly publicKeyHash: string;
}

/** A member added a key for one of its custom identities, or for an organisation below it. */
export interface KeyLog extends LogBase {
  readonly type: 'key_added';
  readonly organization: string;
  readonly name: string;
  readonly isOrganization?: true | undefined;
  readonly key: string;
}

/** A member changed its node's endpoint or public key. */
export interface NodeLog extends LogBase {
  readonly type: 'node_changed';
  readonly organization: string;
  readonly endpoint: string;
  readonly publicKeyHash: string;
}

export interface PinLog extends LogBase, Omit<PinCall, 'type'> {
  readonly type: 'batch_pin';
  /** The registered key that made the call. */
  readonly signer: string;
}

export type NetworkLog = CreationLog | MemberLog | KeyLog | NodeLog | PinLog;

/** A log of any other contract, as it is on the chain. */
export interface ContractLog extends LogBase {
  readonly type: 'contract_log';
  /** Address of the contract, in lower case. */
  readonly address: string;
  /** `0x` and 64 lower-case digits each; the first is the hash of the event's signature. */
  readonly topics: readonly string[];
  readonly data: string;
  /** Input of the transaction, and the key that signed it, for sources that request them. */
  readonly input?: string;
  readonly sender?: string;
}

/** Selects the logs of one contract, or of any (`address` null), whose first topic is one of these. */
export interface LogSource {
  readonly address: string | null;
  readonly topics: readonly string[];
  /** Requests input and sender of the logs' transactions, which costs a request for each. */
  readonly withInput?: true;
}

/** The logs to read besides those of `Network.sol`. `revision` increases with every added source. */
export interface LogSelection {
  readonly revision: number;
  readonly sources: readonly LogSource[];
  /** Aborts when there is a newer selection, so that added sources are read at once and not with the next block. */
  readonly superseded?: AbortSignal;
}

/** The position up to which a reader has read, with proof that it is still the same chain. */
export interface ChainCursor {
  readonly genesisHash: string;
  readonly contract: string;
  readonly block: number;
  readonly blockHash: string;
}

export interface LogPage {
  /** In chain order, whole blocks; may be empty. */
  readonly logs: readonly (NetworkLog | ContractLog)[];
  /** To be stored together with the effects of the logs. */
  readonly cursor: ChainCursor;
  /** Revision of the selection that the page was read with. */
  readonly revision: number;
}

/** `taken`: the page is stored. `stale`: a source was added since it was read, so it must be read again. */
export type PageAnswer = 'taken' | 'stale';

/**
 * `unreachable`: no response, or no usable one; try again. `error_response`: the response to this call is an error that
 * may pass; try it again, while others go on. `refused`: the chain will never accept this call. `unfunded`: its key
 * cannot pay for it, which may change at any moment. `too_many_logs`: the blocks have more logs than fit into memory.
 * `other_chain`: chain, contract or history differ from the cursor's; the node must stop.
 */
export class ChainError extends Error {
  constructor(
    readonly reason: 'unreachable' | 'error_response' | 'refused' | 'unfunded' | 'too_many_logs' | 'other_chain',
    message: string,
    options?: ErrorOptions,
    /** For `other_chain`: it is the chain of the cursor, but blocks that were read have been replaced. */
    readonly isReorganised = false,
  ) {
    super(message, options);
    this.name = 'ChainError';
  }
}

/** The arguments for following the chain. */
export interface Watching {
  readonly after: ChainCursor | undefined;
  /** Called before each read. */
  readonly selection: () => LogSelection;
  readonly handler: (page: LogPage) => Promise<PageAnswer>;
  /** Called whenever the chain was verified to be the one of `after`, before any page is delivered. */
  readonly onFollowing?: () => void;
  readonly signal: AbortSignal;
}

/** The identity of the chain, and its head. */
export interface ChainStatus {
  readonly chainId: number;
  readonly genesisHash: string;
  /** The newest block. */
  readonly head: number;
  /** The newest block with the configured confirmations; 0 on a younger chain. */
  readonly confirmed: number;
}

/** The chain as a node uses it. Keys are addresses in lower case; this port holds the private keys of the node. */
export interface Blockchain {
  /** The addresses that this node can sign for, including those added later, in the order in which they were added. */
  readonly keys: readonly string[];

  /** The address of `Network.sol`, in lower case. Only pins and changes of the member's own entry are sent to it. */
  readonly network: string;

  /** Adds a private key (`0x`, 64 digits) to sign with. Returns its address. Idempotent. */
  addKey(privateKey: string): string;

  /**
   * Signs a call with a key and nonce without sending it; the same arguments give the same result. Asserts that a
   * `ContractCall` is not for `network`: the caller must refuse that. Rejects with ChainError `unreachable`, or
   * `unfunded` if the key cannot pay for the call at the current fees.
   */
  sign(key: string, nonce: number, call: ChainCall): Promise<SignedCall>;

  /**
   * Sends a signed call and resolves with its receipt once it is mined and confirmed. Sending the same bytes again,
   * even after they were mined or after a restart, has no second effect and resolves with the same receipt; a call
   * whose nonce is ahead waits for those before it. A revert is a result, not an error. Rejects with ChainError
   * `unreachable` (the fate of the call is unknown), `unfunded` or `refused`.
   */
  submit(raw: string): Promise<Receipt>;

  /**
   * The number of mined calls of a key, which is the lowest free nonce; `confirmed` counts those with the configured
   * confirmations. Rejects with ChainError `unreachable`.
   */
  count(key: string, which?: 'mined' | 'confirmed'): Promise<number>;

  /** The current balance of a key for fees, in the smallest unit. Rejects with ChainError `unreachable`. */
  balance(key: string): Promise<bigint>;

  /**
   * Delivers the logs of `Network.sol` and of the sources of `selection` after a cursor (`undefined` = from the
   * contract's first block), in chain order, page by page, each once it has the configured confirmations. The next page
   * follows when the handler has resolved. A page that the handler calls `stale` is read again with the current
   * selection; after a rejection the same page is delivered again later. A log of `Network.sol` that a source also
   * selects is delivered as both. While the chain is unreachable it keeps trying. Ends when the signal aborts; rejects
   * with ChainError `other_chain` if the chain is not the one of the cursor or was reorganised below it.
   */
  watch(watching: Watching): Promise<void>;

  /**
   * The logs of a source in blocks `from` to `to`, both inclusive, in chain order. The caller must ensure that the
   * blocks are confirmed. Rejects with ChainError `unreachable`; with `too_many_logs` if the caller should read fewer
   * blocks at once, never for a single one.
   */
  readLogs(source: LogSource, from: number, to: number): Promise<readonly ContractLog[]>;

  /** The hash of a block, as in a cursor; undefined above the head. Rejects with `unreachable` or `other_chain`. */
  blockHash(block: number): Promise<string | undefined>;

  /** Queries a contract. A revert is a result. Rejects with ChainError `unreachable`, also above the head. */
  query(query: ContractQuery): Promise<QueryAnswer>;

  /**
   * Estimates the gas of a key's call on the latest block, or returns that it would revert or exceed the chain's limits
   * of gas and size. Rejects with ChainError `unreachable` or `error_response`.
   */
  estimate(
    key: string,
    call: Pick<ContractCall, 'to' | 'data' | 'value'> & Pick<ContractQuery, 'gas'>,
  ): Promise<{ readonly status: 'success'; readonly gas: number } | Exclude<QueryAnswer, { status: 'success' }>>;

  /** The chain as it is now. Rejects with ChainError `unreachable`. */
  status(): Promise<ChainStatus>;

  /** Closes subscriptions and connections. */
  close(): Promise<void>;
}
