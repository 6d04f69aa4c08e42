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

/**
 * What a transaction may take at most on a chain of today (EIP-7825). Our own chain holds to it, and so do the calls
 * that are made for users; a chain that allows more takes what it has estimated.
 */
export const maxTransactionGas = 16_777_216;

/** A call of any contract; whoever makes it says what it takes at most. */
export interface ContractCall {
  readonly type: 'contract';
  /** Address in lower case; null deploys `data`, creation code with its arguments. */
  readonly to: string | null;
  /** `0x` and hexadecimal digits. */
  readonly data: string;
  /** Most gas that it may use. */
  readonly gas: number;
  /** Wei that go with it, decimal digits. */
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
      /** Address of the contract that it deployed. */
      readonly contract?: string;
    }
  | {
      readonly status: 'reverted';
      readonly transactionHash: string;
      readonly block: number;
      readonly reason: string;
      /** What the contract reverted with, `0x…`, as far as it can be found. */
      readonly data: string;
    };

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

/** A log of any other contract, as the chain has it. */
export interface ContractLog extends LogBase {
  readonly type: 'contract_log';
  /** The contract, in lower case. */
  readonly address: string;
  /** `0x` and 64 lower-case digits each; the first is the hash of the event's signature. */
  readonly topics: readonly string[];
  readonly data: string;
  /** What the transaction said, for sources that ask for it. */
  readonly input?: string;
}

/** The logs of one contract, or of any (`address` null), whose first topic is one of these. */
export interface LogSource {
  readonly address: string | null;
  readonly topics: readonly string[];
  /** Its logs come with the input of their transactions, which costs a request for each. */
  readonly withInput?: true;
}

/** What is read beside `Network.sol`. `revision` rises with every source that is added. */
export interface LogSelection {
  readonly revision: number;
  readonly sources: readonly LogSource[];
  /** Aborts when there is a newer selection: what it adds is then read at once, not with the next block. */
  readonly superseded?: AbortSignal;
}

/** Up to where a reader has read, and proof that it is still the same chain. */
export interface ChainCursor {
  readonly genesisHash: string;
  readonly contract: string;
  readonly block: number;
  readonly blockHash: string;
}

export interface LogPage {
  /** In chain order, whole blocks; may be empty. */
  readonly logs: readonly (NetworkLog | ContractLog)[];
  /** To be stored with what the logs bring. */
  readonly cursor: ChainCursor;
  /** Of the selection that it was read with. */
  readonly revision: number;
}

/** `taken`: it is in the rows. `stale`: a source was added since it was read; it must be read again. */
export type PageAnswer = 'taken' | 'stale';

/** What is asked of a contract without changing anything. */
export interface ContractQuery {
  readonly to: string;
  readonly data: string;
  /** Who asks; a contract may answer each as it likes. */
  readonly from?: string | undefined;
  /** What it may use at most; else as much as the chain tries it with. */
  readonly gas?: number | undefined;
  /** As it was after a block; else after the newest. */
  readonly block?: number | undefined;
}

export type QueryAnswer =
  | { readonly status: 'success'; readonly data: string }
  /** `data`: what the contract reverted with, `0x…`, where the server tells. */
  | { readonly status: 'reverted'; readonly reason: string; readonly data: string };

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

/** How the chain is followed. */
export interface Watching {
  readonly after: ChainCursor | undefined;
  /** Asked before each read. */
  readonly selection: () => LogSelection;
  readonly handler: (page: LogPage) => Promise<PageAnswer>;
  /** Called whenever the chain has proved to be the one of `after`, before anything is handed over. */
  readonly onFollowing?: () => void;
  readonly signal: AbortSignal;
}

/** The chain as a node uses it. Keys are addresses in lower case; it holds the private keys of this node. */
export interface Blockchain {
  /** The addresses that this node can sign for, those added since among them, in the order in which they came. */
  readonly keys: readonly string[];

  /** The address of `Network.sol`, in lower case. Only pins and the member's own entry go there. */
  readonly network: string;

  /** Signs from now on for this private key (`0x`, 64 digits), too. Answers with its address. Twice is as once. */
  addKey(privateKey: string): string;

  /**
   * Signs a call with a key and nonce. Sends nothing; the same arguments give the same call. Asserts that a
   * `ContractCall` is not for `network`: its caller refuses that before.
   */
  sign(key: string, nonce: number, call: ChainCall): Promise<SignedCall>;

  /**
   * Sends a signed call and resolves with its receipt once it is mined and confirmed. The same bytes again, also after
   * they were mined or after a restart, have no second effect and resolve with the same receipt; a call whose nonce is
   * ahead waits for those before it. Reverted is an answer, not an error. Rejects with ChainError `unreachable` (what
   * became of the call is unknown) or `refused`.
   */
  submit(raw: string): Promise<Receipt>;

  /**
   * How many calls of a key are mined: the lowest nonce that is free on the chain; `confirmed`: mined with the
   * configured confirmations. Rejects with ChainError `unreachable`.
   */
  count(key: string, which?: 'mined' | 'confirmed'): Promise<number>;

  /**
   * Hands over the logs of `Network.sol`, and of what `selection` asks for beside it, after a cursor (`undefined` =
   * from the contract's first block), in chain order, page by page, each once it has the configured confirmations. The
   * next page comes when the handler has resolved; one that it calls `stale` is read again with the selection as it
   * then is, and a handler that rejects gets the same page again later. A log of `Network.sol` that a source asks for,
   * too, comes as both. While the chain is away it keeps trying. Ends when the signal aborts; rejects with ChainError
   * `other_chain` when the chain is not the one of the cursor or was reorganised below it.
   */
  watch(watching: Watching): Promise<void>;

  /**
   * The logs of a source in blocks `from` to `to`, both included, in chain order. They must have their confirmations:
   * nobody else looks. Rejects with ChainError `unreachable`.
   */
  readLogs(source: LogSource, from: number, to: number): Promise<readonly ContractLog[]>;

  /** Asks a contract. Reverted is an answer. Rejects with ChainError `unreachable`. */
  query(query: ContractQuery): Promise<QueryAnswer>;

  /**
   * How much gas a call of a key would use now, or that it would be reverted, as far as the newest block tells. Rejects
   * with ChainError `unreachable`.
   */
  estimate(
    key: string,
    call: Pick<ContractCall, 'to' | 'data' | 'value'> & {
      /** What it may use at most; else as much as the chain tries it with. */
      readonly gas?: number | undefined;
    },
  ): Promise<
    | { readonly status: 'success'; readonly gas: number }
    | { readonly status: 'reverted'; readonly reason: string; readonly data: string }
  >;

  /** Where the chain is now. Rejects with ChainError `unreachable`. */
  status(): Promise<{ readonly chainId: number; readonly genesisHash: string; readonly head: number }>;

  /** Ends subscriptions and connections. */
  close(): Promise<void>;
}
