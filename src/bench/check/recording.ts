import type { ChainPin } from './chain-log.js';
import type { DatatypeFacts, DefinitionFacts } from './facts/datatypes.js';
import type { EventFacts, MessageFacts, PayloadFacts } from './facts/facts.js';
import type { GroupFacts } from './facts/groups.js';

/** A message as its client sent it, with all attempts. Times are milliseconds of one clock. */
export interface SendRecord {
  readonly party: string;
  /** The start of the first attempt. */
  readonly sentMs: number;
  /** Time of the response that accepted it; null if there was none. */
  readonly acceptedMs: number | null;
  /** The id in that response (202, or 409 naming the first message). */
  readonly id: string | null;
  readonly topics: readonly string[];
  readonly tag: string | undefined;
  /** SHA-256 of each value as it was sent, unique among all sends. */
  readonly valueHashes: readonly string[];
  /** The names of the parties that must get the message; absent = all. */
  readonly members?: readonly string[];
  /** SHA-256 of each file of the message. */
  readonly blobHashes?: readonly string[];
}

/** Everything that one node reported. */
export interface PartyRecord {
  readonly name: string;
  /** The events of each connection in order of arrival, one list per connection. */
  readonly connections: readonly (readonly EventFacts[])[];
  /** All messages with their data, read at the end. */
  readonly messages: readonly MessageFacts[];
  /** Number of undecided or blocked messages by the node's status; undefined if it was not read. */
  readonly pending: number | undefined;
  /** Groups that the node knows. */
  readonly groups?: readonly GroupFacts[];
  /** Files downloaded at the end. */
  readonly downloads?: readonly Download[];
  /** Datatypes listed at the end. */
  readonly datatypes?: readonly DatatypeFacts[];
  /** Definition messages, with their data. */
  readonly definitions?: readonly DefinitionFacts[];
  /** The deliveries of a durable subscription. */
  readonly durable?: DurableRecord;
  /** Token transfers and balances listed at the end. */
  readonly tokens?: TokenRecord;
}

/** The token records of a node. */
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
  /** Its position on the chain, the same on all nodes. */
  readonly protocolId: string;
  /** Id of the attached message. */
  readonly message: string | undefined;
}

/** The balance of a key in a pool, or of one of its tokens. */
export interface BalanceFacts {
  readonly pool: string;
  readonly tokenIndex?: string | undefined;
  readonly key: string;
  readonly balance: string;
}

/** A durable subscription, as recorded by its consumer. */
export interface DurableRecord {
  readonly readAhead: number;
  /** Deliveries and acknowledgements of each connection in order, one list per connection. */
  readonly connections: readonly (readonly DurableStep[])[];
  /** The matching events after the start position, as the node lists them at the end, oldest first. */
  readonly listed: readonly { readonly id: string; readonly sequence: number }[];
  /** The offset at the end, as the node reports it. */
  readonly offset?: number;
}

/** An event that was delivered, or an acknowledgement that was sent. */
export interface DurableStep {
  readonly is: 'delivered' | 'acknowledged';
  /** Id of the event. */
  readonly id: string;
}

/** A file as a node served it. */
export interface Download {
  /** Id of the data item. */
  readonly data: string;
  /** SHA-256 of the received bytes. */
  readonly hash: string;
  readonly sizeBytes: number;
}

/** A search for the text of a private message in one place. */
export interface Search {
  /** A text that occurs only in one private message. */
  readonly canary: string;
  /** The names of the parties that may have the text. */
  readonly members: readonly string[];
  /** Such as `carol/data` or `chain`. */
  readonly place: string;
  /** The owner of the place; null if it is shared. */
  readonly party: string | null;
  readonly searchedBytes: number;
  /** The files, or other parts of the place, that contain the text. */
  readonly hits: readonly string[];
}

/** The hash of a block as first seen during the run and as read at the end. */
export interface BlockRecord {
  readonly number: number;
  readonly seen: string;
  readonly now: string | null;
}

/** The input of the checker. */
export interface Recording {
  readonly sends: readonly SendRecord[];
  readonly parties: readonly PartyRecord[];
  readonly pins: readonly ChainPin[];
  /** Payloads by reference, from the shared store. */
  readonly payloads: ReadonlyMap<string, PayloadFacts>;
  readonly blocks: readonly BlockRecord[];
  readonly searches?: readonly Search[];
  /** Balances read from the contracts themselves. */
  readonly contractBalances?: readonly BalanceFacts[];
}

export type Invariant =
  'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10' | 'I11' | 'I12' | 'I13' | 'I14' | 'blocks';

export interface Finding {
  readonly invariant: Invariant;
  readonly title: string;
  readonly status: 'ok' | 'VIOLATED' | 'NO EVIDENCE';
  /** Number of comparisons. */
  readonly evidence: number;
  /** A sentence that proves a violation; null if there is none. */
  readonly proof: string | null;
}

/** The result of one rule: the number of comparisons, and the faults found. */
export interface Evidence {
  count: number;
  readonly faults: string[];
}
