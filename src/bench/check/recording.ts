import type { ChainPin } from './chain-log.js';
import type { EventFacts, MessageFacts, PayloadFacts } from './facts.js';

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
