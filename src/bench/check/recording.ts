import type { ChainPin } from './chain-log.js';
import type { DatatypeFacts, DefinitionFacts } from './datatype-facts.js';
import type { EventFacts, MessageFacts, PayloadFacts } from './facts.js';
import type { GroupFacts } from './group-facts.js';

/** One message as a client meant it, with all its attempts. Times are milliseconds on one clock. */
export interface SendRecord {
  readonly party: string;
  /** When the first attempt began. */
  readonly sentMs: number;
  /** When the answer came that said it was accepted; null when none ever did. */
  readonly acceptedMs: number | null;
  /** The id of that answer (202, or 409 naming the first message). */
  readonly id: string | null;
  readonly topics: readonly string[];
  readonly tag: string | undefined;
  /** SHA-256 of each value as it was sent. No two sends have the same. */
  readonly valueHashes: readonly string[];
  /** Names of the parties that were to get it; without them, all. */
  readonly members?: readonly string[];
  /** SHA-256 of each file that was sent with it. */
  readonly blobHashes?: readonly string[];
}

/** What one node said happened. */
export interface PartyRecord {
  readonly name: string;
  /** The events of each connection in order of arrival, the connections one after the other. */
  readonly connections: readonly (readonly EventFacts[])[];
  /** All messages as read at the end, with their data. */
  readonly messages: readonly MessageFacts[];
  /** What status says is undecided or blocked; undefined when nobody asked. */
  readonly pending: number | undefined;
  /** Groups that the node knows. */
  readonly groups?: readonly GroupFacts[];
  /** Files as they were downloaded at the end. */
  readonly downloads?: readonly Download[];
  /** Datatypes as listed at the end. */
  readonly datatypes?: readonly DatatypeFacts[];
  /** Definition messages, with their data. */
  readonly definitions?: readonly DefinitionFacts[];
  /** What a durable subscription gave. */
  readonly durable?: DurableRecord;
  /** Transfers and balances of tokens as listed at the end. */
  readonly tokens?: TokenRecord;
}

/** What a node says of tokens. */
export interface TokenRecord {
  readonly transfers: readonly TransferFacts[];
  readonly balances: readonly BalanceFacts[];
}

/** A mint, transfer or burn. Amounts and indexes are decimal digits. */
export interface TransferFacts {
  readonly pool: string;
  readonly type: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly amount: string;
  readonly tokenIndex: string | undefined;
  /** Its place on the chain, which nodes have in common. */
  readonly protocolId: string;
  /** Id of the attached message. */
  readonly message: string | undefined;
}

/** What a key holds of a pool, or of one token of it. */
export interface BalanceFacts {
  readonly pool: string;
  readonly tokenIndex?: string | undefined;
  readonly key: string;
  readonly balance: string;
}

/** A durable subscription, as its consumer has lived it. */
export interface DurableRecord {
  readonly readAhead: number;
  /** What came and what was answered on each connection, in that order, the connections one after the other. */
  readonly connections: readonly (readonly DurableStep[])[];
  /** The matching events behind its start, as the node lists them at the end, oldest first. */
  readonly listed: readonly { readonly id: string; readonly sequence: number }[];
  /** Where the node says that it stands at the end. */
  readonly offset?: number;
}

/** An event that came, or the acknowledgement that was sent for one. */
export interface DurableStep {
  readonly is: 'delivered' | 'acknowledged';
  /** Id of the event. */
  readonly id: string;
}

/** A file as a node served it. */
export interface Download {
  /** Id of the data item. */
  readonly data: string;
  /** SHA-256 of the bytes that came. */
  readonly hash: string;
  readonly sizeBytes: number;
}

/** What was looked for where nobody but members may have it: the bytes of one place, searched for one text. */
export interface Search {
  /** A text that stands in a private message and nowhere else. */
  readonly canary: string;
  /** Names of the parties that may have it. */
  readonly members: readonly string[];
  /** As in `carol/data`, `chain`. */
  readonly place: string;
  /** Whose the place is; null for what all share. */
  readonly party: string | null;
  readonly searchedBytes: number;
  /** Files, or the like, that have it. */
  readonly hits: readonly string[];
}

/** The hash of a block as first seen during the run and as read at the end. */
export interface BlockRecord {
  readonly number: number;
  readonly seen: string;
  readonly now: string | null;
}

/** Everything that a check judges. */
export interface Recording {
  readonly sends: readonly SendRecord[];
  readonly parties: readonly PartyRecord[];
  readonly pins: readonly ChainPin[];
  /** Payloads by reference, as the shared store serves them. */
  readonly payloads: ReadonlyMap<string, PayloadFacts>;
  readonly blocks: readonly BlockRecord[];
  readonly searches?: readonly Search[];
  /** What the contracts themselves say that keys hold. */
  readonly contractBalances?: readonly BalanceFacts[];
}

export type Invariant =
  'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10' | 'I11' | 'I12' | 'I13' | 'I14' | 'blocks';

export interface Finding {
  readonly invariant: Invariant;
  readonly title: string;
  readonly status: 'ok' | 'VIOLATED' | 'NO EVIDENCE';
  /** How many things were compared. */
  readonly evidence: number;
  /** The smallest proof of a violation. */
  readonly proof: string | null;
}

/** What one rule found: how much it compared, and what broke it. */
export interface Evidence {
  count: number;
  readonly faults: string[];
}
