import type { JsonText } from '../wire/scalar.js';
import type { TokenType } from '../wire/token.js';
import type { Row } from './row.js';

/**
 * A token pool: asked for here, or found in a definition. `creating`: its call is on its way; `known`: it is on chain
 * and not followed here yet; `followed`: its events are here up to the chain's cursor, and those to come will be;
 * `refused`: it is not what its definition says (`refusal`), and waits for the verdict. Unique by (namespace, id),
 * (namespace, name).
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
  /** Id of the message that defines it. */
  readonly message: string | null;
  readonly state: 'creating' | 'known' | 'followed' | 'refused';
  readonly refusal: string | null;
  /** As it is shown: followed, and for published ones its definition is confirmed. */
  readonly active: boolean;
  readonly created: string;
  readonly info: JsonText | null;
  readonly txtype: 'token_pool' | null;
  readonly txid: string | null;
  readonly interface: string | null;
  readonly interfaceFormat: string | null;
  readonly methods: JsonText | null;
  readonly published: boolean;
  /** Sequence of the pin of its definition, once that is confirmed: what was pinned before does not know it. */
  readonly pin: number | null;
  /** The definition by which it is judged, `id/hash` of its message; null before its turn. */
  readonly claim: string | null;
  /** Whether it was found to be on chain what that definition says. */
  readonly verified: boolean;
}

/** A mint, transfer or burn that the chain has. Unique by (namespace, pool, protocolId) and by localId. */
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
  /** What the operation's data says of a message: hearsay (S §15.4). */
  readonly message: string | null;
  readonly messageHash: string | null;
  readonly created: string;
  readonly txtype: 'token_transfer' | null;
  readonly txid: string | null;
  readonly blockchainEvent: string;
  /** Where it stands: what a verdict compares with the block of a pin. */
  readonly block: number;
}

/** Unique by (namespace, pool, protocolId) and by localId. */
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

/** Unique by (namespace, pool, tokenIndex, key). */
export interface BalanceRow extends Row {
  readonly pool: string;
  /** Empty of a fungible pool: a key must have a value. */
  readonly tokenIndex: string;
  readonly uri: string | null;
  readonly connector: string;
  readonly key: string;
  readonly balance: string;
  readonly updated: string;
}

/** A key that has ever held something. Unique by (namespace, key). */
export interface AccountRow extends Row {
  readonly key: string;
  readonly updated: string;
}

/** A pool of which a key has ever held something. Unique by (namespace, key, pool). */
export interface AccountPoolRow extends Row {
  readonly key: string;
  readonly pool: string;
  readonly updated: string;
}
