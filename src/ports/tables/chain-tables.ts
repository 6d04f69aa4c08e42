import type { Row } from './row.js';

/** An organisation, a node or a custom identity of the registry. Unique by did. */
export interface IdentityRow extends Row {
  readonly id: string;
  readonly did: string;
  readonly type: 'org' | 'node' | 'custom';
  /** DID of the organisation that a node or custom identity belongs to. */
  readonly parent: string | null;
  readonly name: string;
  readonly created: string;
  /** The endpoint for peers and the public-key hash, for nodes. */
  readonly endpoint: string | null;
  readonly publicKeyHash: string | null;
  /** The block in which it was registered; verdicts may depend on it, unlike times. */
  readonly block: number;
  /** Time of the last change of endpoint or public-key hash. */
  readonly updated: string | null;
}

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
