import type { AbiEntry } from '../domain/contracts/abi.js';
import type { PoolMethods } from '../domain/tokens/methods.js';
import type { TokenType } from '../wire/token.js';
import type { JsonText } from '../wire/scalar.js';
import type { ContractCall, ContractLog, LogSource } from './blockchain.js';
import type { ContractQuery, QueryAnswer } from './contract-query.js';

/** A call without its sender. */
export type ConnectorCall = Omit<ContractCall, 'type'>;

/** A call of a token operation. */
export interface TokenCall extends ConnectorCall {
  /** Whether it carries the data of the operation; otherwise no message can be attached (`PY1403`). */
  readonly carriesData: boolean;
  /** Whether a mint says which token; otherwise the contract numbers its tokens, and an index has no effect. */
  readonly namesToken?: boolean;
}

/** A method of the interface that a pool request names. */
export interface OfferedMethod {
  /** Its name in the interface, unique among overloads. */
  readonly pathname: string;
  readonly entry: AbiEntry;
}

/** The fields of `POST tokens/pools` that a connector needs. */
export interface PoolRequest {
  readonly type: TokenType;
  readonly name: string;
  readonly symbol: string | undefined;
  /** The object `config` as text; undefined = none. */
  readonly config: JsonText | undefined;
  /** The methods chosen for the pool; undefined = those of the standard. */
  readonly methods?: PoolMethods | undefined;
}

/** The origin of a pool: a call creates it, or its contract exists already. */
export type PoolOrigin =
  | { readonly kind: 'call'; readonly call: ConnectorCall }
  | { readonly kind: 'existing'; readonly address: string; readonly block: number | undefined };

/** A pool found on the chain. */
export interface FoundPool {
  /** The locator for its definition: everything that a node needs to follow it (docs/protocol.md §13, §13.4). */
  readonly locator: string;
  /** The creator, if the chain records one; null for a user's own contract. */
  readonly creator: string | null;
}

/** A decoded locator. */
export interface LocatedPool {
  readonly type: TokenType;
  /** The same for every spelling of a locator: two pools with the same key are the same pool. */
  readonly key: string;
  readonly address: string;
  /** Distinguishes it from other pools of the contract, as in the locator; null if the contract is a single pool. */
  readonly startId: string | null;
  /** The first block that can contain events of the pool. */
  readonly block: number;
  /** The source of its events. */
  readonly source: LogSource;
  /** The source of events that hold for all pools of the contract, also for later ones; it begins at `from`. */
  readonly shared: (LogSource & { readonly from: number }) | undefined;
  /** The source of the log of its creation; undefined for a contract that a user has deployed. */
  readonly creation: LogSource | undefined;
  /** Whether the operation's data is in the transactions' inputs, because the contract does not emit it. */
  readonly readsInput: boolean;
  /** Whether its calls accept operation data; otherwise no message can be attached (`PY1403`). */
  readonly takesData: boolean;
  readonly standard: string;
  readonly decimals: number | null;
  /** The object served as `info`, as text. */
  readonly info: JsonText;
}

export interface TransferRequest {
  readonly kind: 'mint' | 'transfer' | 'burn';
  readonly locator: string;
  /** The signing key. */
  readonly key: string;
  readonly from: string;
  readonly to: string;
  /** Decimal digits. */
  readonly amount: string;
  readonly tokenIndex: string | undefined;
  readonly uri: string | undefined;
  readonly config: JsonText | undefined;
  /** The data of the operation (docs/protocol.md §13.1). */
  readonly data: string;
  /** The pool's methods for this use; empty = those of the standard. */
  readonly methods?: readonly AbiEntry[] | undefined;
}

export interface ApprovalRequest {
  readonly locator: string;
  readonly key: string;
  readonly operator: string;
  readonly approved: boolean;
  readonly config: JsonText | undefined;
  readonly data: string;
  readonly methods?: readonly AbiEntry[] | undefined;
}

interface TokenEventBase {
  /** `key` of the pool; null = every pool of the contract at `address`. */
  readonly pool: string | null;
  readonly address: string;
  /** The same on every node (docs/protocol.md §13). If `pool` is null, each pool appends a slash and its `startId`. */
  readonly protocolId: string;
  /** The log that it was read from. */
  readonly log: ContractLog;
  /** Signature of the log's event, such as `Transfer(address,address,uint256)`. */
  readonly signature: string;
  /** The parameters of the log by name: an object as text. */
  readonly output: JsonText;
  /** The operation's data as text; undefined if there was none or it is not text. */
  readonly data: string | undefined;
  /** Whether the data comes from the transaction's input; then it counts only for pools that are read that way. */
  readonly isFromInput?: boolean;
}

export interface TransferEvent extends TokenEventBase {
  readonly type: 'transfer';
  readonly kind: 'mint' | 'transfer' | 'burn';
  /** The initiator, if the contract names one; otherwise the party that lost tokens or, for a mint, gained them. */
  readonly signer: string;
  /** The sender of the transaction, if the contract names no initiator; counts for pools that are read that way. */
  readonly sender?: string | undefined;
  /** Null for the zero address. */
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: string;
  /** Decimal; null for a fungible token. */
  readonly tokenIndex: string | null;
  readonly uri: string | null;
}

export interface ApprovalEvent extends TokenEventBase {
  readonly type: 'approval';
  /** The owner of the tokens. */
  readonly signer: string;
  readonly operator: string;
  readonly approved: boolean;
  /** Identifies the approval that a newer one replaces (docs/protocol.md §13). */
  readonly subject: string;
  /** The object served as `info`, as text. */
  readonly info: JsonText;
}

export type TokenEvent = TransferEvent | ApprovalEvent;

/**
 * Translates for one kind of token contract: it builds calls, names the logs to read, and interprets them. It does no
 * I/O of its own, except that `inspect` queries through the given function.
 */
export interface TokenConnector {
  readonly name: string;

  /** Determines the origin of the requested pool. Throws ServiceError for errors of the caller. */
  createPool(request: PoolRequest, data: string): PoolOrigin;

  /**
   * Chooses the methods that a pool calls from its contract's interface (docs/protocol.md §13.4); undefined for
   * Parley's own contracts, whose methods are known. Throws ServiceError for methods that cannot be called, and for an
   * interface without any that a pool needs.
   */
  chooseMethods(request: PoolRequest, offered: readonly OfferedMethod[] | undefined): PoolMethods | undefined;

  /** The pool that a log of the creating contract announces; undefined for other logs. */
  readCreation(log: ContractLog): FoundPool | undefined;

  /** The source of creation logs. */
  readonly creations: LogSource;

  /**
   * Identifies an existing contract by querying it. Rejects with ServiceError if it is not of the requested type or
   * its block is above `head`, and as `ask` rejects.
   */
  inspect(
    request: PoolRequest,
    origin: { readonly address: string; readonly block: number | undefined },
    ask: (query: ContractQuery) => Promise<QueryAnswer>,
    head: number,
  ): Promise<FoundPool>;

  /** Decodes a locator; undefined if it is not one of this connector. The text is untrusted. */
  locate(locator: string): LocatedPool | undefined;

  /** Builds the call of a transfer. Throws ServiceError for errors of the caller (docs/api.md §19.2). */
  transfer(request: TransferRequest): TokenCall;
  approve(request: ApprovalRequest): TokenCall;

  /** Interprets logs as token events, in order. Logs of one transaction must be passed together. */
  events(logs: readonly ContractLog[]): readonly TokenEvent[];

  /** Extracts the operation's data from the transaction's input, for a call of one of the pool's own methods. */
  dataOf(log: Pick<ContractLog, 'input'>, methods: PoolMethods): string | undefined;
}
