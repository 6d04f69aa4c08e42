import type { Database } from '../../ports/database.js';
import type { OperationRow } from '../../ports/tables/tables.js';
import { type Columns, above, every, not } from '../../ports/tables/where.js';
import { type AttemptParts, createAttempts } from './attempt.js';
import { type Attempted, createLane, type Lane, type ServiceAway } from './lane.js';
import { createLoop } from '../loop.js';
import { otherLanes } from './operation.js';

export interface Operator {
  start(): void;
  /** Interrupts running attempts; they are repeated after the next start. */
  stop(): Promise<void>;
  isIdle(): boolean;
  away(): readonly ServiceAway[];
  /** Undefined for an unknown lane. */
  attemptsOf(operation: Pick<OperationRow, 'id' | 'lane'>): Attempted | undefined;
  /** Ends the back-off of a lane whose service has proved reachable. */
  revive(lane: string): void;
}

export interface OperatorParts extends AttemptParts {
  /** Returns the current lanes. No lane is ever removed. While they do not change, the object is the same. */
  readonly lanes: () => Promise<Lanes>;
}

/** The maximum number of concurrent operations, by name of the lane. */
export type Lanes = Readonly<Record<string, number>>;

/** New operations read in one query for all lanes. */
const maxFresh = 64;
/** Operations of earlier runs read in one query. */
const maxEarlier = 500;

/**
 * Runs every operation that leaves the node: outbox, transaction queue and retry queue are one table. First attempts go
 * before retries, so unavailable content delays nothing else.
 */
export function createOperator(parts: OperatorParts): Operator {
  const { database, lanes, bus, clock, log, onDefect } = parts;
  // A peer that accepts envelopes also accepts blobs, and vice versa, so its other lane need not wait.
  const onAnswer = (lane: string): void => otherLanes(lane, [...queues.keys()]).forEach(revive);
  const attempts = createAttempts({ ...parts, onAnswer });
  const onRoom = () => {
    bus.ring('operations');
  };
  const queues = new Map<string, Lane>();
  let known: Lanes = {};
  const loop = createLoop({ name: 'dispatch', bell: 'operations', step, bus, clock, log, onDefect });

  async function step() {
    await addLanes(await lanes());
    for (const lane of queues.values()) lane.forgetEnded();
    const fresh = await readFresh(database, [...queues.values()]);
    for (const lane of queues.values()) {
      const own = fresh.get(lane);
      // True of most lanes; skipped without an `await`.
      if (own?.length === 0 && !lane.hasRepeats()) continue;
      const next = await nextOf(database, lane, own);
      // An operation started now would not be interrupted, and stopping would wait for it.
      if (attempts.hasStopped()) break;
      for (const operation of next) lane.begin(operation.id, attempts.attempt(lane, operation));
    }
    return { hasWorked: false, rings: [] };
  }

  function revive(lane: string): void {
    queues.get(lane)?.recover();
  }

  async function addLanes(current: Lanes): Promise<void> {
    if (current === known) return;
    for (const [name, maxInFlight] of Object.entries(current)) {
      if (queues.has(name)) continue;
      const lane = createLane({ name, maxInFlight, clock, log, onRoom });
      await takeUp(database, lane);
      queues.set(name, lane);
    }
    known = current;
  }

  return {
    start: loop.start,
    async stop() {
      attempts.stop();
      await loop.stop();
      await Promise.all([...queues.values()].map((lane) => lane.stop()));
    },
    isIdle: () => loop.isIdle() && [...queues.values()].every((lane) => lane.inFlight() === 0),
    away: () => [...queues.values()].flatMap((lane) => lane.away() ?? []),
    attemptsOf: ({ id, lane }) => queues.get(lane)?.attemptsOf(id),
    revive,
  };
}

/**
 * Reads operations that were never tried, by lane: the oldest, as many as there is room for. A lane missing in the
 * result must be read separately. One query serves all lanes, however many peers there are; a lane with a queue needs
 * another one.
 */
async function readFresh(
  database: Database,
  lanes: readonly Lane[],
): Promise<ReadonlyMap<Lane, readonly OperationRow[]>> {
  const found = new Map<Lane, readonly OperationRow[]>();
  let open = lanes.filter((lane) => lane.room() > 0);
  while (open.length > 0) {
    const names = open.map(({ name }) => name);
    // Running operations still have the status of new ones, so they are excluded.
    const begun = open.flatMap((lane) => lane.underWay());
    const rows = await readOperations(database, { lane: names, status: 'Initialized', id: not(begun) }, maxFresh);
    const isWhole = rows.length < maxFresh;
    const missing: Lane[] = [];
    for (const lane of open) {
      const own = rows.filter((operation) => operation.lane === lane.name);
      if (isWhole || own.length >= lane.room()) found.set(lane, own);
      else missing.push(lane);
    }
    if (missing.length === open.length) break;
    open = missing;
  }
  return found;
}

/** Marks all operations for a retry that an earlier run tried and did not finish. */
async function takeUp(database: Database, lane: Lane): Promise<void> {
  for (let after = 0, isWhole = false; !isWhole;) {
    const earlier = { sequence: above(after), lane: lane.name, status: 'Pending' } as const;
    const rows = await readOperations(database, earlier, maxEarlier);
    for (const { id } of rows) lane.repeat(id);
    after = rows.at(-1)?.sequence ?? after;
    isWhole = rows.length < maxEarlier;
  }
}

async function nextOf(
  database: Database,
  lane: Lane,
  fresh: readonly OperationRow[] | undefined,
): Promise<readonly OperationRow[]> {
  const room = lane.room();
  const next = room > 0 ? await readNext(database, lane, fresh, room) : [];
  if (next.length >= room) lane.expectMore();
  return next;
}

async function readNext(
  database: Database,
  lane: Lane,
  fresh: readonly OperationRow[] | undefined,
  room: number,
): Promise<readonly OperationRow[]> {
  const ofLane = { lane: lane.name, status: 'Initialized' } as const;
  const untried = fresh ?? (await readOperations(database, ofLane, lane.maxInFlight));
  const first = untried.filter(({ id }) => lane.isFree(id)).slice(0, room);
  const due = lane.due(room).filter((id) => first.every((operation) => operation.id !== id));
  if (due.length === 0) return first;
  const repeats = await readOperations(database, { id: due }, due.length);
  return [...first, ...repeats].slice(0, room);
}

/** Operations of all namespaces share their lanes. */
function readOperations(
  database: Database,
  columns: Columns<'operations'>,
  limit: number,
): Promise<readonly OperationRow[]> {
  return database.rows('operations', { namespace: every, ...columns }, { limit });
}
