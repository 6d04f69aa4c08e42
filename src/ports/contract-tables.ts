import type { JsonText } from '../wire/scalar.js';
import type { Row } from './row.js';

/**
 * Logs that the one reader of the chain reads beside the network's own, in the same pages, from the block after the
 * one in which the source was added. Its history was read before, up to that block, in the unit that adds it. Unique by
 * (kind, subject). `sequence` is the revision of the selection.
 */
export interface SourceRow extends Row {
  readonly kind: 'pool' | 'listener';
  /** Id of the pool's row, or of the listener with the contract that it names (`sourceSubject`). */
  readonly subject: string;
  readonly address: string | null;
  readonly topics: readonly string[];
  /** Its logs are wanted with the input of their transactions. */
  readonly withInput: boolean;
}

/** An interface of contracts (FFI). Unique by (namespace, id), (namespace, name, version). */
export interface InterfaceRow extends Row {
  readonly id: string;
  readonly message: string | null;
  readonly name: string;
  readonly networkName: string | null;
  readonly description: string;
  readonly version: string;
  /** Text of the arrays as they are served. */
  readonly methods: JsonText;
  readonly events: JsonText;
  readonly errors: JsonText;
  readonly published: boolean;
  /** Sequence of the pin of its definition. */
  readonly pin: number | null;
}

/** A contract API. Unique by (namespace, id), (namespace, name). */
export interface ApiRow extends Row {
  readonly id: string;
  readonly message: string | null;
  readonly name: string;
  readonly networkName: string | null;
  readonly interface: string;
  /** Text of an object. */
  readonly location: JsonText | null;
  readonly published: boolean;
  readonly pin: number | null;
}

/**
 * A listener for events of contracts. `joining`: its history is being read; `following`: what it listens for is here up
 * to the chain's cursor, and what comes will be. Unique by (namespace, id), (namespace, name).
 */
export interface ListenerRow extends Row {
  readonly id: string;
  readonly interface: string | null;
  readonly name: string;
  readonly backendId: string;
  readonly location: JsonText | null;
  readonly event: JsonText | null;
  readonly signature: string;
  readonly topic: string;
  /** Text of an object with `firstEvent`. */
  readonly options: JsonText;
  /** Text of an array. */
  readonly filters: JsonText;
  readonly state: 'joining' | 'following';
  /** The first block whose events count; null = the newest when it was made, until that is known. */
  readonly firstBlock: number | null;
  readonly created: string;
  readonly updated: string | null;
}

/** Something that a contract said. Unique by (namespace, origin, protocolId). */
export interface BlockchainEventRow extends Row {
  readonly id: string;
  readonly source: string;
  readonly name: string;
  readonly listener: string | null;
  /** Id of the listener or pool that it is here for; `network` for pins. */
  readonly origin: string;
  readonly protocolId: string;
  readonly output: JsonText;
  readonly info: JsonText;
  readonly timestamp: string;
  readonly txtype: string | null;
  readonly txid: string | null;
  /** Hash of the transaction of the chain. */
  readonly blockchainId: string | null;
}
