import type { AbiEntry } from '../domain/contract-abi.js';
import type { PoolMethods } from '../domain/token-methods.js';
import type { TokenType } from '../wire/token.js';
import type { JsonText } from '../wire/scalar.js';
import type { ContractCall, ContractLog, ContractQuery, LogSource, QueryAnswer } from './blockchain.js';

/** A call without who makes it. */
export type ConnectorCall = Omit<ContractCall, 'type'>;

/** A call of an operation of tokens. */
export interface TokenCall extends ConnectorCall {
  /** Whether the data of the operation is in it; else no message can be attached (`PY1403`). */
  readonly carriesData: boolean;
}

/** A method of the interface that a request for a pool names. */
export interface OfferedMethod {
  /** By what the interface knows it: overloads of one name have several. */
  readonly pathname: string;
  readonly entry: AbiEntry;
}

/** What `POST tokens/pools` says, as far as a connector must know. */
export interface PoolRequest {
  readonly type: TokenType;
  readonly name: string;
  readonly symbol: string | undefined;
  /** Text of the object `config`; undefined = none. */
  readonly config: JsonText | undefined;
  /** The methods that were chosen for the pool; undefined = those of the standard. */
  readonly methods?: PoolMethods | undefined;
}

/** How a pool comes about: by a call, or it is there already. */
export type PoolOrigin =
  | { readonly kind: 'call'; readonly call: ConnectorCall }
  | { readonly kind: 'existing'; readonly address: string; readonly block: number | undefined };

/** A pool as the chain has it. */
export interface FoundPool {
  /** What a definition carries: everything that a node must know to follow it (S §15.6, §15.7). */
  readonly locator: string;
  /** Who created it, where the chain says; a contract of somebody else has no creator that counts. */
  readonly creator: string | null;
}

/** What a locator says. */
export interface LocatedPool {
  readonly type: TokenType;
  /** The same for every spelling of a locator: two pools with one key are the same pool. */
  readonly key: string;
  readonly address: string;
  /** What tells it from the other pools of its contract, as the locator has it; null where the contract is one pool. */
  readonly startId: string | null;
  /** The first block that can have events of it. */
  readonly block: number;
  /** Where its events are. */
  readonly source: LogSource;
  /** Where its creation shows; undefined for a contract that a user deployed himself. */
  readonly creation: LogSource | undefined;
  /** Whether calls take the data that a message travels with; else none can be attached (`PY1403`). */
  readonly takesData: boolean;
  readonly standard: string;
  readonly decimals: number | null;
  /** Text of the object that is shown as `info`. */
  readonly info: JsonText;
}

export interface TransferRequest {
  readonly kind: 'mint' | 'transfer' | 'burn';
  readonly locator: string;
  /** Who signs. */
  readonly key: string;
  readonly from: string;
  readonly to: string;
  /** Decimal digits. */
  readonly amount: string;
  readonly tokenIndex: string | undefined;
  readonly uri: string | undefined;
  readonly config: JsonText | undefined;
  /** What the operation carries (S §15.4, 3). */
  readonly data: string;
  /** Those of the pool for this; none = those of the standard. */
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
  /** S §15.6: the same at every node. Where `pool` is null, each pool adds a slash and its `startId`. */
  readonly protocolId: string;
  /** The log that it was read from. */
  readonly log: ContractLog;
  /** Signature of the log's event, such as `Transfer(address,address,uint256)`. */
  readonly signature: string;
  /** What the log says, by name: text of an object. */
  readonly output: JsonText;
  /** The data that the operation carried, as text; undefined where it had none or none that is text. */
  readonly data: string | undefined;
  /** It was found in the input of the transaction: it counts in pools that are read so, and in no other. */
  readonly isFromInput?: boolean;
}

export interface TransferEvent extends TokenEventBase {
  readonly type: 'transfer';
  readonly kind: 'mint' | 'transfer' | 'burn';
  /** Who asked for it, where the chain says; else the side that lost or, of a mint, gained. */
  readonly signer: string;
  /** Null for the zero address. */
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: string;
  /** Decimal; null of a fungible token. */
  readonly tokenIndex: string | null;
  readonly uri: string | null;
}

export interface ApprovalEvent extends TokenEventBase {
  readonly type: 'approval';
  /** Whose tokens. */
  readonly signer: string;
  readonly operator: string;
  readonly approved: boolean;
  /** What a newer one replaces (S §15.6). */
  readonly subject: string;
  /** Text of the object that is shown as `info`. */
  readonly info: JsonText;
}

export type TokenEvent = TransferEvent | ApprovalEvent;

/**
 * A kind of token contract, as a translator: it says what to call, where to look and what was seen. It does no I/O of
 * its own; only `inspect` asks, through what it is given.
 */
export interface TokenConnector {
  readonly name: string;

  /** How a pool of this request comes about. Throws ServiceError for what the caller can mend. */
  createPool(request: PoolRequest, data: string): PoolOrigin;

  /**
   * What a pool calls of its contract's interface, for what it does (S §15.7); undefined where the contract is one of
   * ours, whose methods are known. Throws ServiceError for what cannot be called, and for an interface that has nothing
   * of use to a pool.
   */
  chooseMethods(request: PoolRequest, offered: readonly OfferedMethod[] | undefined): PoolMethods | undefined;

  /** The pool that a log of the creating contract tells of; undefined for other logs. */
  readCreation(log: ContractLog): FoundPool | undefined;

  /** Where logs of creations are. */
  readonly creations: LogSource;

  /**
   * What an existing contract is: found by asking it. Rejects with ServiceError when it is none of the type, and with
   * what `ask` rejects with.
   */
  inspect(
    request: PoolRequest,
    origin: { readonly address: string; readonly block: number | undefined },
    ask: (query: ContractQuery) => Promise<QueryAnswer>,
    head: number,
  ): Promise<FoundPool>;

  /** What a locator says; undefined if it is none of this connector. It may be anybody's text. */
  locate(locator: string): LocatedPool | undefined;

  /** Throws ServiceError for what the caller can mend (S §15.2). */
  transfer(request: TransferRequest): TokenCall;
  approve(request: ApprovalRequest): TokenCall;

  /** The events that logs tell of, in their order. Logs of one transaction are handed in together. */
  events(logs: readonly ContractLog[]): readonly TokenEvent[];

  /** The data of an operation that was called by one of a pool's own methods, from the input of its transaction. */
  dataOf(log: Pick<ContractLog, 'input'>, methods: PoolMethods): string | undefined;
}
