import type { Reader } from '../../src/ports/database.js';
import type { EventRow } from '../../src/ports/tables/tables.js';
import { above, every } from '../../src/ports/tables/where.js';
import type { Simulator } from './life.js';
import { mainNamespace } from './namespaces.js';
import { InvariantViolation } from './shadow.js';

/** One connection of an application to its durable subscription. */
export interface Connection {
  /** Name of the node's life. */
  readonly life: string;
  readonly isAutoack: boolean;
  isGone: boolean;
}

export interface Frame {
  readonly id: string;
  readonly sequence: number;
}

/** The deliveries of one durable subscription, over all connections and lives of its node. */
export interface SubscriptionRecord {
  readonly id: string;
  /** Raises the number of events that may be outstanding. */
  widen(readAhead: number): void;
  handedOver(connection: Connection, frames: readonly Frame[]): void;
  acknowledged(connection: Connection, frames: readonly Frame[]): void;
  disconnected(connection: Connection): void;
  removed(): void;
  /** Removes the events that a rebuild of the node has removed. */
  rebuilt(): Promise<void>;
  /** Checks the rules that hold at the end. Throws InvariantViolation I9. */
  check(): Promise<void>;
}

export interface RecordParts {
  readonly simulator: Simulator;
  readonly party: string;
  readonly disk: Reader;
  readonly id: string;
  readonly namespace?: string;
  /** The position where it began. */
  readonly start: number;
  readonly readAhead: number;
  /** Whether the filter matches an event, as implemented by the simulator. */
  readonly isWanted: (event: EventRow) => boolean;
  /** Whether the event may come, too; by default only if it is wanted. */
  readonly mayCome?: (event: EventRow) => boolean;
  readonly hasChanged?: () => boolean;
}

const everything = 100_000;

/** Checks I9 at each step and at the end. */
export function createRecord(parts: RecordParts): SubscriptionRecord {
  const {
    simulator,
    party,
    disk,
    id,
    namespace = mainNamespace,
    start,
    isWanted,
    mayCome = isWanted,
    hasChanged = () => false,
  } = parts;
  const { scheduler, sometimes } = simulator;
  const firsts = new Set<number>();
  const flights = new Map<number, Connection>();
  let readAhead = parts.readAhead;
  let isRemoved = false;
  let cursorSeen = start;
  /** State of the current life of the node. */
  let life = '';
  let sent = new Set<number>();
  let acknowledged = new Set<number>();
  let perhaps = new Set<number>();

  function violated(sentence: string): void {
    scheduler.fail(new InvariantViolation('I9', `${sentence} on subscription ${id} of ${party}`));
  }

  function enter(name: string, first: Frame): void {
    if (life === name) return;
    if (life !== '' && firsts.has(first.sequence)) sometimes('restart at an unacknowledged event');
    life = name;
    flights.clear();
    sent = new Set();
    acknowledged = new Set();
    perhaps = new Set();
  }

  function take(connection: Connection, { sequence }: Frame): void {
    const other = flights.get(sequence);
    if (other === connection) violated(`event ${sequence} came twice on one connection`);
    else if (other?.isGone === false) violated(`event ${sequence} is under way on two connections`);
    else if (other !== undefined) sometimes('takeover of an event in flight');
    if (acknowledged.has(sequence)) violated(`event ${sequence} came again after it was acknowledged in this life`);
    flights.set(sequence, connection);
    sent.add(sequence);
    firsts.add(sequence);
    if (connection.isAutoack) perhaps.add(sequence);
  }

  /** Compares with the stored position: no event is repeated or skipped, and not too many are in flight. */
  async function compare(connection: Connection, frames: readonly Frame[]): Promise<void> {
    const cursor = await readCursor();
    if (cursor === undefined) return;
    if (cursor < cursorSeen) violated(`the position went back from ${cursorSeen} to ${cursor}`);
    cursorSeen = cursor;
    const again = frames.find(({ sequence }) => sequence <= cursor);
    if (again !== undefined) violated(`event ${again.sequence} came again, and the position on disk is ${cursor}`);
    const last = frames.at(-1)?.sequence ?? 0;
    for (const { sequence } of await wantedAfter(cursor)) {
      if (sequence > last) break;
      const isDone = acknowledged.has(sequence) || perhaps.has(sequence);
      if (isDone || flights.get(sequence) === connection) continue;
      violated(`event ${sequence} was left out before ${last}, from position ${cursor}`);
    }
    const outstanding = [...sent].filter((sequence) => sequence > cursor).length;
    if (outstanding > readAhead + 1) violated(`${outstanding} events are outstanding with readAhead ${readAhead}`);
    if (outstanding === readAhead + 1) sometimes('window full');
  }

  async function readCursor(): Promise<number | undefined> {
    return (await disk.first('subscriptions', { namespace: every, id }))?.cursor;
  }

  async function wantedAfter(cursor: number, isMeant = isWanted): Promise<readonly EventRow[]> {
    const events = await disk.rows('events', { namespace, sequence: above(cursor) }, { limit: everything });
    return events.filter(isMeant);
  }

  return {
    id,
    widen(more) {
      readAhead = Math.max(readAhead, more);
    },
    handedOver(connection, frames) {
      const [first] = frames;
      if (first === undefined || isRemoved) return;
      enter(connection.life, first);
      // With another filter, an event may match that did not match when later ones were sent.
      const isNew = !hasChanged() && !firsts.has(first.sequence);
      if (isNew && [...firsts].some((sequence) => sequence > first.sequence)) {
        violated(`event ${first.sequence} came after a later one`);
      }
      for (const frame of frames) take(connection, frame);
      compare(connection, frames).catch((error: unknown) =>
        scheduler.fail(new Error('the check failed', { cause: error })),
      );
    },
    acknowledged(connection, frames) {
      if (connection.life !== life) return;
      const sequences = frames.map(({ sequence }) => sequence);
      const lowest = Math.min(...flights.keys());
      if (!sequences.includes(lowest)) sometimes('acknowledged out of order');
      for (const sequence of sequences) {
        acknowledged.add(sequence);
        if (flights.get(sequence) === connection) flights.delete(sequence);
      }
    },
    disconnected(connection) {
      connection.isGone = true;
    },
    removed() {
      isRemoved = true;
    },
    async rebuilt() {
      const left = new Set((await wantedAfter(start, mayCome)).map(({ sequence }) => sequence));
      for (const sequence of [...firsts]) if (!left.has(sequence)) firsts.delete(sequence);
    },
    async check() {
      const wanted = (await wantedAfter(start)).map(({ sequence }) => sequence);
      const seen = [...firsts];
      const possible = new Set((await wantedAfter(start, mayCome)).map(({ sequence }) => sequence));
      const last = isRemoved ? Math.max(0, ...seen) : Infinity;
      const isComplete = wanted.every((sequence) => sequence > last || firsts.has(sequence));
      if (!isComplete || !seen.every((sequence) => possible.has(sequence))) {
        const counts = `${seen.join()} of ${wanted.join()}`;
        throw new InvariantViolation('I9', `subscription ${id} of ${party} saw ${counts}`);
      }
      const cursor = isRemoved ? Infinity : ((await readCursor()) ?? Infinity);
      if (cursor < (wanted.at(-1) ?? 0)) {
        throw new InvariantViolation(
          'I9',
          `the position of ${id} at ${party} stays at ${cursor}, not ${wanted.at(-1) ?? 0}`,
        );
      }
      if (seen.length > 0 && !isRemoved) sometimes('durable subscription saw every event');
    },
  };
}
