import { assert } from '../invariant.js';

/**
 * The delivery state of a subscription: the events in flight and its position (docs/api.md §14.3, §14.4). Positions are
 * sequences of events. The state is pure and outlives connections; for a durable subscription it also tells what a
 * crash would repeat.
 */
export interface Window {
  /** Every event up to it was considered: sent, or found not to match. */
  readonly seen: number;
  /** Every event up to it is acknowledged or does not match. It never decreases. */
  readonly position: number;
  /** The position that is on disk. */
  readonly saved: number;
  /**
   * Every event up to it does not match, or its acknowledgement is on disk: a crash would repeat none. It may be ahead
   * of the saved position, since nothing is written for events that do not match alone.
   */
  readonly settled: number;
  /** Number of events sent on this connection and not acknowledged. */
  readonly inFlight: number;
  /**
   * How many more events may be sent now. An event takes up room until its acknowledgement is on disk, including one
   * acknowledged above a lower one that is missing, since a crash would repeat it.
   */
  readonly room: number;
  /** Number of events to send again before any new event, because an earlier connection did not acknowledge them. */
  readonly repeats: number;
  /** The lowest of these, at most `count`. */
  nextRepeats(count: number): readonly number[];
  resize(readAhead: number): void;
  /** Records that nothing up to this sequence is left to send. */
  pass(sequence: number): void;
  /** Records that events were sent together, lowest first; this id acknowledges them. */
  send(id: string, sequences: readonly number[]): void;
  /**
   * Acknowledges the events sent with this id, or the oldest in flight without one. Returns false if the id is unknown
   * and not among the last 1,000 acknowledged.
   */
  acknowledge(id?: string): boolean;
  /** Ends the connection: unacknowledged events must be sent again, acknowledged ones must not. */
  disconnect(): void;
  /** Records that a position is on disk, which makes room. */
  save(position: number): void;
}

export interface WindowOptions {
  /** Number of events that may be in flight in addition to the one being consumed. */
  readonly readAhead: number;
  /** The initial position, also on disk. */
  readonly position: number;
  /** For a subscription that is not durable, every acknowledgement makes room at once. */
  readonly isDurable: boolean;
}

const maxRemembered = 1_000;

/** Creates a window with nothing in flight. */
export function createWindow({ position: start, isDurable, ...options }: WindowOptions): Window {
  let maxEvents = options.readAhead + 1;
  let [seen, saved] = [start, start];
  /** The events above the position, lowest first: whether each is acknowledged. */
  const events = new Map<number, boolean>();
  const flights = createFlights();
  let repeats: readonly number[] = [];

  const isSeen = (sequence: number): boolean => sequence <= seen;
  const finish = (sequence: number) => (isDurable ? events.set(sequence, true) : events.delete(sequence));

  function sendOne(sequence: number): void {
    if (isSeen(sequence)) return;
    assert(repeats.length === 0, 'what is sent again goes first');
    events.set(sequence, false);
    seen = sequence;
  }

  const positionNow = (): number => lowestMissing(events, seen + 1) - 1;

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
    get settled() {
      return lowestOf(events, seen + 1) - 1;
    },
    get inFlight() {
      return flights.size;
    },
    get room() {
      // Repeated events already have their place.
      return Math.max(0, maxEvents - (repeats.length > 0 ? flights.size : events.size));
    },
    get repeats() {
      return repeats.length;
    },
    nextRepeats: (count) => repeats.slice(0, count),
    resize: (readAhead) => void (maxEvents = readAhead + 1),
    pass: (sequence) => void (seen = Math.max(seen, sequence)),
    send(id, sequences) {
      if (isSeen(sequences[0] ?? seen)) repeats = without(repeats, sequences.filter(isSeen));
      sequences.forEach(sendOne);
      flights.start(id, sequences);
    },
    acknowledge(id) {
      const { isKnown, sequences } = flights.end(id);
      sequences.forEach(finish);
      return isKnown;
    },
    disconnect() {
      flights.clear();
      repeats = [...events].filter(([, isAcknowledged]) => !isAcknowledged).map(([sequence]) => sequence);
    },
    save(position) {
      assert(position <= positionNow(), 'no position is stored past what is not acknowledged');
      saved = Math.max(saved, position);
      removeUpTo(events, saved);
    },
  };
}

/** The lowest event whose acknowledgement is not on disk, or else `other`. Events are sorted ascending. */
function lowestOf(events: ReadonlyMap<number, boolean>, other: number): number {
  const [lowest = other] = events.keys();
  return lowest;
}

/** The lowest unacknowledged event, or else `other`. Events are sorted ascending. */
function lowestMissing(events: ReadonlyMap<number, boolean>, other: number): number {
  for (const [sequence, isAcknowledged] of events) if (!isAcknowledged) return sequence;
  return other;
}

/** Removes events up to `last`. Events are sorted ascending. */
function removeUpTo(events: Map<number, boolean>, last: number): void {
  for (const sequence of events.keys()) {
    if (sequence > last) return;
    events.delete(sequence);
  }
}

/** The repeats that remain after the first of them were sent again. */
function without(repeats: readonly number[], sent: readonly number[]): readonly number[] {
  const isInTurn = sent.every((sequence, index) => sequence === repeats[index]);
  assert(isInTurn, 'an event is sent once, and again in its turn');
  return repeats.slice(sent.length);
}

/** Creates the record of events in flight by the id they were sent with, oldest first. */
function createFlights() {
  const flights = new Map<string, readonly number[]>();
  const ended = createMemory();
  let size = 0;
  return {
    /** Number of events. */
    get size() {
      return size;
    },
    start(id: string, sequences: readonly number[]): void {
      flights.set(id, sequences);
      size += sequences.length;
    },
    end(asked: string | undefined): { readonly isKnown: boolean; readonly sequences: readonly number[] } {
      const id = asked ?? flights.keys().next().value;
      const sequences = id === undefined ? undefined : flights.get(id);
      // A repeated acknowledgement is ignored, not an error (docs/api.md §15.2).
      if (id === undefined || sequences === undefined) return { isKnown: ended.has(id ?? ''), sequences: [] };
      flights.delete(id);
      size -= sequences.length;
      ended.add(id);
      return { isKnown: true, sequences };
    },
    clear(): void {
      flights.clear();
      size = 0;
    },
  };
}

/** Creates a memory of the most recently ended ids; the newest replaces the oldest. */
function createMemory() {
  const known = new Set<string>();
  const places: string[] = [];
  let next = 0;
  return {
    has: (id: string): boolean => known.has(id),
    add(id: string): void {
      if (known.has(id)) return;
      known.delete(places[next] ?? '');
      known.add(id);
      places[next] = id;
      next = (next + 1) % maxRemembered;
    },
  };
}
