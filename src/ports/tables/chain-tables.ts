import type { Row } from './row.js';

/** A registered signing key and the identity that owns it. Unique by key. */
export interface KeyRow extends Row {
  readonly key: string;
  readonly identity: string;
  readonly created: string;
}

/** The position up to which a set of chain logs was read. Unique by source. */
export interface CursorRow extends Row {
  readonly source: string;
  readonly genesisHash: string;
  readonly contract: string;
  readonly block: number;
  readonly blockHash: string;
}

/** The network's contract, with the limits that were recorded when it was created. Unique by contract. */
export interface NetworkRow extends Row {
  /** Address of the contract. */
  readonly contract: string;
  /** JSON text, as recorded on the chain. */
  readonly limits: string;
}
