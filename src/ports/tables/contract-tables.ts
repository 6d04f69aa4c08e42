import type { JsonText } from '../../wire/scalar.js';
import type { Row } from './row.js';

/**
 * A source of logs that the one chain reader reads together with the network's own, from the block after the one in
 * which the source was added. Its earlier history was read before the unit that added it. Unique by (kind, subject).
 * `sequence` is the revision of the selection.
 */
export interface SourceRow extends Row {
  readonly kind: 'pool' | 'listener';
  /** The pool (`poolSubject`), or the listener with its contract (`sourceSubject`). */
  readonly subject: string;
  readonly address: string | null;
  readonly topics: readonly string[];
  /** Whether its logs are read with the input of their transactions. */
  readonly withInput: boolean;
}

/** A contract interface (FFI). Unique by (namespace, id), (namespace, name, version). */
export interface InterfaceRow extends Row {
  readonly id: string;
  readonly message: string | null;
  readonly name: string;
  readonly networkName: string | null;
  readonly description: string;
  readonly version: string;
  /** The arrays as they are served, as text. */
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
  /** An object as text. */
  readonly location: JsonText | null;
  readonly published: boolean;
  readonly pin: number | null;
}

/**
 * A listener for contract events. `joining`: its history is being read; `following`: its events up to the chain's
 * cursor are stored, and later ones will be. Unique by (namespace, id), (namespace, name).
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
  /** An object with `firstEvent`, as text. */
  readonly options: JsonText;
  /** An array as text. */
  readonly filters: JsonText;
  readonly state: 'joining' | 'following';
  /** The first block whose events count; null in a row of an earlier version whose node had read nothing yet. */
  readonly firstBlock: number | null;
  readonly created: string;
  readonly updated: string | null;
}

/** A contract event. Unique by (namespace, origin, protocolId). */
export interface BlockchainEventRow extends Row {
  readonly id: string;
  readonly source: string;
  readonly name: string;
  readonly listener: string | null;
  /** Id of the listener or pool for which it is stored; `network` for pins. */
  readonly origin: string;
  readonly protocolId: string;
  readonly output: JsonText;
  readonly info: JsonText;
  readonly timestamp: string;
  readonly txtype: string | null;
  readonly txid: string | null;
  /** Hash of the transaction on the chain. */
  readonly blockchainId: string | null;
}
