import { assert } from './invariant.js';

/**
 * What of a subscription is on its way, and where it stands (S §10.5, §10.6). Positions are sequences of events. Pure
 * state of one subscription, whatever its connections do; in a durable one it says what a crash would repeat.
 */
export interface Window {
  /** Up to it every event was looked at: sent, or found not to match. */
  readonly seen: number;
  /** Up to it every event is acknowledged or does not match. It never goes back. */
  readonly position: number;
  /** The position that is on disk. */
  readonly saved: number;
  /** How many events are sent on this connection and not acknowledged. */
  readonly inFlight: number;
  /**
   * How many more events may be sent now. What is acknowledged and not on disk takes up room, also what was
   * acknowledged above a lower one that is missing, since a crash would repeat it.
   */
  readonly room: number;
  /** How many events must be sent again, before anything new: an earlier connection has not acknowledged them. */
  readonly repeats: number;
  /** The lowest of these, so many at most. */
  nextRepeats(count: number): readonly number[];
  resize(readAhead: number): void;
  /** Nothing up to this sequence is left to be sent. */
  pass(sequence: number): void;
  /** Takes note that events were sent together, lowest first: they are acknowledged by this id. */
  send(id: string, sequences: readonly number[]): void;
  /**
   * What was sent as this id (without one the oldest in flight) is acknowledged. False when it matches nothing, also
   * none of the last 1,000 that were acknowledged.
   */
  acknowledge(id?: string): boolean;
  /** The connection is gone: what it has not acknowledged must be sent again, what it has must not. */
  disconnect(): void;
  /** A position is on disk, which makes room. */
  save(position: number): void;
}

export interface WindowOptions {
  /** How many events may be on their way beside the one that is being consumed. */
  readonly readAhead: number;
  /** Where it stands, on disk as here. */
  readonly position: number;
  /** Of one that is not remembered, every acknowledgement makes room at once. */
  readonly isDurable: boolean;
}

const maxRemembered = 1_000;

/** A window with nothing in flight. */
export function createWindow({ position: start, isDurable, ...options }: WindowOptions): Window {
  let maxEvents = options.readAhead + 1;
  let seen = start;
  let saved = start;
  /** Above the position, lowest first: whether they are acknowledged. */
  const events = new Map<number, boolean>();
  /** What is in flight by the ids of what was sent, oldest first. */
  const flights = new Map<string, readonly number[]>();
  /** What is left to be repeated is behind this index. */
  let repeated = 0;
  let repeats: readonly number[] = [];
  const remembered = new Set<string>();
  let inFlight = 0;

  function finish(sequences: readonly number[]): void {
    inFlight -= sequences.length;
    for (const sequence of sequences) {
      if (isDurable) events.set(sequence, true);
      else events.delete(sequence);
    }
  }

  function positionNow(): number {
    for (const [sequence, isAcknowledged] of events) if (!isAcknowledged) return sequence - 1;
    return seen;
  }

  return {
    get seen() {
      return seen;
    },
    get position() {
      return positionNow();
    },
    get saved() {
      return saved;
    },
    get inFlight() {
      return inFlight;
    },
    get room() {
      // What is repeated has its place already.
      return Math.max(0, maxEvents - (repeats.length > repeated ? inFlight : events.size));
    },
    get repeats() {
      return repeats.length - repeated;
    },
    nextRepeats: (count) => repeats.slice(repeated, repeated + count),
    resize(readAhead) {
      maxEvents = readAhead + 1;
    },
    pass(sequence) {
      seen = Math.max(seen, sequence);
    },
    send(id, sequences) {
      for (const sequence of sequences) {
        if (sequence > seen) {
          assert(repeats.length === repeated, 'what is sent again goes first');
          events.set(sequence, false);
          seen = sequence;
        } else {
          assert(repeats[repeated] === sequence, 'events are sent in their order');
          repeated += 1;
        }
      }
      flights.set(id, sequences);
      inFlight += sequences.length;
    },
    acknowledge(id) {
      const acknowledged = id ?? flights.keys().next().value;
      if (acknowledged === undefined) return false;
      const flight = flights.get(acknowledged);
      // A repeated acknowledgement is ignored, not an error (S §11.2).
      if (flight === undefined) return remembered.has(acknowledged);
      flights.delete(acknowledged);
      finish(flight);
      remember(remembered, acknowledged);
      return true;
    },
    disconnect() {
      flights.clear();
      inFlight = 0;
      repeats = [...events].filter(([, isAcknowledged]) => !isAcknowledged).map(([sequence]) => sequence);
      repeated = 0;
    },
    save(position) {
      assert(position <= positionNow(), 'no position is stored past what is not acknowledged');
      saved = Math.max(saved, position);
      for (const sequence of events.keys()) {
        if (sequence > saved) return;
        events.delete(sequence);
      }
    },
  };
}

function remember(remembered: Set<string>, id: string): void {
  remembered.add(id);
  if (remembered.size <= maxRemembered) return;
  const [oldest] = remembered;
  if (oldest !== undefined) remembered.delete(oldest);
}
