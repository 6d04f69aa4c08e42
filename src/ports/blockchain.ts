/** Where a log stands on the chain. Comparing block, then transaction, then log gives the order of everything. */
export interface ChainPosition {
  readonly block: number;
  readonly transactionIndex: number;
  readonly logIndex: number;
}

/** A pin: the contexts of one batch take their place in the order (S §7.3). */
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

/** A member's key for a custom identity of its own (S §17.2); the member calls. */
export interface KeyCall {
  readonly type: 'add_key';
  readonly name: string;
  /** The address. */
  readonly key: string;
}

/** Where a member's node listens now, and the hash of its public key; the member calls. */
export interface NodeCall {
  readonly type: 'set_node';
  readonly endpoint: string;
  readonly publicKeyHash: string;
}

export type ChainCall = PinCall | KeyCall | NodeCall;

export interface SignedCall {
  /** The signed transaction as `0x` hex. */
  readonly raw: string;
  readonly transactionHash: string;
}

export type Receipt =
  | { readonly status: 'success'; readonly transactionHash: string; readonly block: number }
  | { readonly status: 'reverted'; readonly transactionHash: string; readonly block: number; readonly reason: string };

interface LogBase {
  readonly position: ChainPosition;
  readonly transactionHash: string;
  /** Time of the block, ISO 8601 with three fractional digits. */
  readonly time: string;
}

/** The network began, with the limits that decide validity on all its nodes (S §18). */
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

/** A member added a key for a custom identity of its own. */
export interface KeyLog extends LogBase {
  readonly type: 'key_added';
  readonly organization: string;
  readonly name: string;
  readonly key: string;
}

/** A member changed where its node listens, or the node's certificate. */
export interface NodeLog extends LogBase {
  readonly type: 'node_changed';
  readonly organization: string;
  readonly endpoint: string;
  readonly publicKeyHash: string;
}

export interface PinLog extends LogBase, Omit<PinCall, 'type'> {
  readonly type: 'batch_pin';
  /** The registered key that called. */
  readonly signer: string;
}

export type NetworkLog = CreationLog | MemberLog | KeyLog | NodeLog | PinLog;

/** Up to where a reader has read, and proof that it is still the same chain. */
export interface ChainCursor {
  readonly genesisHash: string;
  readonly contract: string;
  readonly block: number;
  readonly blockHash: string;
}

export interface LogPage {
  /** In chain order; may be empty. */
  readonly logs: readonly NetworkLog[];
  /** To be stored with what the logs bring. */
  readonly cursor: ChainCursor;
}

/**
 * `unreachable`: no answer, or none that means anything; try again. `refused`: the chain will never take this call.
 * `other_chain`: this is not the chain, contract or history that the cursor knows; the node must stop.
 */
export class ChainError extends Error {
  constructor(
    readonly reason: 'unreachable' | 'refused' | 'other_chain',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ChainError';
  }
}

/** The chain as a node uses it. Keys are addresses in lower case; it holds the private keys of this node. */
export interface Blockchain {
  /** The addresses that this node can sign for, those added since among them, in the order in which they came. */
  readonly keys: readonly string[];

  /** Signs from now on for this private key (`0x`, 64 digits), too. Answers with its address. Twice is as once. */
  addKey(privateKey: string): string;

  /** Signs a call with a key and nonce. Sends nothing; the same arguments give the same call. */
  sign(key: string, nonce: number, call: ChainCall): Promise<SignedCall>;

  /**
   * Sends a signed call and resolves with its receipt once it is mined. The same bytes again, also after they were
   * mined or after a restart, have no second effect and resolve with the same receipt. Reverted is an answer, not an
   * error. Rejects with ChainError `unreachable` (what became of the call is unknown) or `refused`.
   */
  submit(raw: string): Promise<Receipt>;

  /** How many calls of a key are mined: the lowest nonce that is free on the chain. */
  count(key: string): Promise<number>;

  /**
   * Hands over the logs of `Network.sol` after a cursor (`undefined` = from the contract's first block), in chain
   * order, page by page, each once it has the configured confirmations. The next page comes when the handler has
   * resolved; a handler that rejects gets the same page again later. While the chain is away it keeps trying. Ends when
   * the signal aborts; rejects with ChainError `other_chain` when the chain is not the one of the cursor or was
   * reorganised below it.
   */
  watch(after: ChainCursor | undefined, handler: (page: LogPage) => Promise<void>, signal: AbortSignal): Promise<void>;

  /** Where the chain is now. Rejects with ChainError `unreachable`. */
  status(): Promise<{ readonly chainId: number; readonly genesisHash: string; readonly head: number }>;

  /** Ends subscriptions and connections. */
  close(): Promise<void>;
}
