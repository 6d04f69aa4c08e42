import type { JsonText } from '../../wire/scalar.js';
import type { TokenType } from '../../wire/token.js';
import type { Row } from './row.js';

/**
 * A token pool: requested here, or found in a definition. `creating`: its call is in progress; `known`: it is on chain
 * but not followed yet; `followed`: its events up to the chain's cursor are stored, and later ones will be; `refused`:
 * it is not what its definition says (`refusal`), and waits for the verdict. Unique by (namespace, id), (namespace,
 * name).
 */
export interface PoolRow extends Row {
  readonly id: string;
  readonly name: string;
  readonly networkName: string | null;
  readonly type: TokenType;
  readonly standard: string | null;
  readonly locator: string | null;
  /** `LocatedPool.key` of the locator. */
  readonly chainKey: string | null;
  readonly address: string | null;
  readonly key: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly connector: string;
  /** Id of the message with its definition. */
  readonly message: string | null;
  readonly state: 'creating' | 'known' | 'followed' | 'refused';
  readonly refusal: string | null;
  /** As it is served: followed and, for a published pool, with a confirmed definition. */
  readonly active: boolean;
  readonly created: string;
  readonly info: JsonText | null;
  readonly txtype: 'token_pool' | null;
  readonly txid: string | null;
  readonly interface: string | null;
  readonly interfaceFormat: string | null;
  readonly methods: JsonText | null;
  readonly published: boolean;
  /** Sequence of the pin of its confirmed definition; messages pinned before it do not know the pool. */
  readonly pin: number | null;
  /** The definition by which it is judged, as `id/hash` of its message; null until that definition is judged. */
  readonly claim: string | null;
  /** Whether the chain has confirmed what that definition says. */
  readonly verified: boolean;
}

/** A mint, transfer or burn on the chain. Unique by (namespace, pool, protocolId) and by localId. */
export interface TransferRow extends Row {
  readonly type: 'mint' | 'transfer' | 'burn';
  readonly localId: string;
  readonly pool: string;
  readonly tokenIndex: string | null;
  readonly uri: string | null;
  readonly connector: string;
  readonly key: string;
  readonly from: string | null;
  readonly to: string | null;
  /** Decimal digits, like all amounts. */
  readonly amount: string;
  readonly protocolId: string;
  /** The message named by the operation's data, unverified (docs/protocol.md §13.1). */
  readonly message: string | null;
  readonly messageHash: string | null;
  readonly created: string;
  readonly txtype: 'token_transfer' | null;
  readonly txid: string | null;
  readonly blockchainEvent: string;
  /** Its block, which a verdict compares with the block of a pin. */
  readonly block: number;
}

/** An approval. Unique by (namespace, pool, protocolId) and by localId. */
export interface ApprovalRow extends Row {
  readonly localId: string;
  readonly pool: string;
  readonly connector: string;
  readonly key: string;
  readonly operator: string;
  readonly approved: boolean;
  readonly info: JsonText | null;
  readonly protocolId: string;
  readonly subject: string;
  readonly active: boolean;
  readonly message: string | null;
  readonly messageHash: string | null;
  readonly created: string;
  readonly txtype: 'token_approval' | null;
  readonly txid: string | null;
  readonly blockchainEvent: string;
  readonly block: number;
}

/** A balance. Unique by (namespace, pool, tokenIndex, key). */
export interface BalanceRow extends Row {
  readonly pool: string;
  /** Empty for a fungible pool, since a unique key must have a value. */
  readonly tokenIndex: string;
  readonly uri: string | null;
  readonly connector: string;
  readonly key: string;
  readonly balance: string;
  readonly updated: string;
}

/** A key that has ever had a balance. Unique by (namespace, key). */
export interface AccountRow extends Row {
  readonly key: string;
  readonly updated: string;
}

/** A pool in which a key has ever had a balance. Unique by (namespace, key, pool). */
export interface AccountPoolRow extends Row {
  readonly key: string;
  readonly pool: string;
  readonly updated: string;
}
