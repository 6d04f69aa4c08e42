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
  /**
   * Up to it every event does not match, or its acknowledgement is on disk: a crash would repeat nothing. It may be
   * ahead of what is on disk, since nothing is written for events that do not match alone.
   */
  readonly settled: number;
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
  let [seen, saved] = [start, start];
  /** Above the position, lowest first: whether they are acknowledged. */
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
      // What is repeated has its place already.
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

/** The lowest whose acknowledgement is not on disk, or else this one. The lowest stand first. */
function lowestOf(events: ReadonlyMap<number, boolean>, other: number): number {
  const [lowest = other] = events.keys();
  return lowest;
}

/** The lowest that is not acknowledged, or else this one. The lowest stand first. */
function lowestMissing(events: ReadonlyMap<number, boolean>, other: number): number {
  for (const [sequence, isAcknowledged] of events) if (!isAcknowledged) return sequence;
  return other;
}

/** The lowest stand first. */
function removeUpTo(events: Map<number, boolean>, last: number): void {
  for (const sequence of events.keys()) {
    if (sequence > last) return;
    events.delete(sequence);
  }
}

/** What is left of these when the first of them are sent again. */
function without(repeats: readonly number[], sent: readonly number[]): readonly number[] {
  const isInTurn = sent.every((sequence, index) => sequence === repeats[index]);
  assert(isInTurn, 'an event is sent once, and again in its turn');
  return repeats.slice(sent.length);
}

/** What is in flight by the ids of what was sent, oldest first. */
function createFlights() {
  const flights = new Map<string, readonly number[]>();
  const ended = createMemory();
  let size = 0;
  return {
    /** How many events. */
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
      // A repeated acknowledgement is ignored, not an error (S §11.2).
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

/** The last ids that ended, in turn: the oldest gives its place to the newest. */
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
