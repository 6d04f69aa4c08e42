import { InvariantError } from '../domain/invariant.js';
import type { Clock } from '../ports/clock.js';
import { type Database, everyNamespace, type Unit } from '../ports/database.js';
import type { Log } from '../ports/log.js';
import type { OperationRow, OperationStatus, OperationType } from '../ports/tables.js';
import { among, equal, oldestFirst } from '../wire/query.js';
import type { Bell, Bus } from './bus.js';
import { createLane, type Lane, type ServiceAway } from './lane.js';
import { createLoop } from './loop.js';

/** What became of an attempt. */
export type Outcome<Output> =
  | { readonly status: 'done'; readonly output: Output }
  /** The other end of the lane is away: the lane as a whole backs off. */
  | { readonly status: 'unreachable'; readonly error: string }
  /** This one alone must be tried again later. */
  | { readonly status: 'later'; readonly error: string }
  /** It can never become good. */
  | { readonly status: 'failed'; readonly error: string };

/** What the transaction after a success writes beside the operation's own end, and whom to wake after the commit. */
export interface Settlement {
  /** What the operation's record shows. */
  readonly output: Readonly<Record<string, unknown>>;
  readonly write: (database: Unit) => Promise<readonly Bell[]>;
}

/** One type of outside work. It talks outside any transaction, and may be repeated from its beginning at any time. */
export type RunOperation = (operation: OperationRow, signal: AbortSignal) => Promise<Outcome<Settlement>>;

export interface Operator {
  start(): void;
  /** Ends what is under way without an answer; it is repeated after the next start. */
  stop(): Promise<void>;
  isIdle(): boolean;
  /** The lanes whose other end does not answer now. */
  away(): readonly ServiceAway[];
}

export interface OperatorParts {
  readonly database: Database;
  readonly types: Readonly<Record<OperationType, RunOperation>>;
  /** Name → how many operations may be under way at once. */
  readonly lanes: Readonly<Record<string, number>>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly onDefect: (error: Error) => void;
}

/** How many operations that were never tried are read for all lanes at once. */
const maxFresh = 64;
/** How many of the operations that were tried before are looked at in one step. */
const maxRepeats = 100;

/**
 * The one runner of everything that leaves the node (architecture, 6): outbox, transaction queue and retry queue in one
 * table. First attempts go before repeats, so a content that nobody has holds up no other.
 */
export function createOperator({ database, types, lanes, bus, clock, log, onDefect }: OperatorParts): Operator {
  const stopping = new AbortController();
  const onRoom = () => {
    bus.ring('operations');
  };
  const queues = Object.entries(lanes).map(([name, maxInFlight]) =>
    createLane({ name, maxInFlight, clock, log, onRoom }),
  );
  const interrupts = new Set<() => void>();
  const loop = createLoop({ name: 'dispatch', bell: 'operations', step, bus, clock, log, onDefect });

  async function step() {
    const fresh = await readFresh(database, queues);
    for (const lane of queues) {
      for (const operation of await nextOf(database, lane, fresh)) lane.begin(operation.id, attempt(lane, operation));
    }
    return { hasWorked: false, rings: [] };
  }

  /** Never rejects: what fails here stays in its row. */
  async function attempt(lane: Lane, operation: OperationRow): Promise<void> {
    try {
      const outcome = await runUntil(interrupts, types[operation.type](operation, stopping.signal));
      if (outcome !== 'stopped') await settle(lane, operation, outcome);
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.error('An operation met a defect and will be repeated', { operation: operation.id, error });
      if (error instanceof InvariantError) onDefect(error);
      lane.delay(operation.id);
    }
  }

  async function settle(lane: Lane, operation: OperationRow, outcome: Outcome<Settlement>): Promise<void> {
    if (outcome.status === 'unreachable') lane.backOff(outcome.error);
    else lane.recover();
    if (outcome.status === 'later') lane.delay(operation.id);
    const bells = await database.transaction((unit) => record(unit, operation, outcome, clock.now()));
    bus.ring(...bells);
    if (outcome.status === 'done') lane.forget(operation.id);
    if (outcome.status === 'failed') {
      log.error('An operation has failed for good', {
        operation: operation.id,
        type: operation.type,
        error: outcome.error,
      });
    }
  }

  return {
    start: loop.start,
    async stop() {
      stopping.abort('stopping');
      for (const interrupt of interrupts) interrupt();
      await loop.stop();
      await Promise.all(queues.map((lane) => lane.stop()));
    },
    isIdle: () => loop.isIdle() && queues.every((lane) => lane.inFlight() === 0),
    away: () => queues.flatMap((lane) => lane.away() ?? []),
  };
}

/** Operations that were never tried, of all lanes; undefined when there are too many to read at once. */
async function readFresh(database: Database, lanes: readonly Lane[]): Promise<readonly OperationRow[] | undefined> {
  const where = [
    among(
      'lane',
      lanes.map(({ name }) => name),
    ),
    equal('status', 'Initialized'),
  ];
  const rows = await database.find('operations', {
    namespace: everyNamespace,
    where,
    sort: oldestFirst,
    limit: maxFresh,
  });
  return rows.length < maxFresh ? rows : undefined;
}

async function nextOf(
  database: Database,
  lane: Lane,
  fresh: readonly OperationRow[] | undefined,
): Promise<readonly OperationRow[]> {
  const room = lane.room();
  if (room <= 0) return [];
  const isFree = ({ id }: OperationRow) => lane.isFree(id);
  const ofLane = fresh?.filter((operation) => operation.lane === lane.name);
  const first = (ofLane ?? (await readLane(database, lane, 'Initialized', lane.maxInFlight))).filter(isFree);
  if (first.length >= room || !lane.hasRepeats()) return first.slice(0, room);
  const repeats = await readLane(database, lane, 'Pending', maxRepeats);
  // One that is under way may be about to be stored as tried.
  if (repeats.length === 0 && lane.inFlight() === 0) lane.forgetRepeats();
  return [...first, ...repeats.filter(isFree)].slice(0, room);
}

function readLane(
  database: Database,
  lane: Lane,
  status: OperationStatus,
  limit: number,
): Promise<readonly OperationRow[]> {
  const where = [equal('lane', lane.name), equal('status', status)];
  return database.find('operations', { namespace: everyNamespace, where, sort: oldestFirst, limit });
}

async function record(
  unit: Unit,
  operation: OperationRow,
  outcome: Outcome<Settlement>,
  updated: string,
): Promise<readonly Bell[]> {
  const change = (changes: Partial<OperationRow>) =>
    unit.update(
      'operations',
      { namespace: operation.namespace, where: [equal('id', operation.id)] },
      { ...changes, updated },
    );
  switch (outcome.status) {
    case 'done':
      await change({ status: 'Succeeded', error: null, output: outcome.output.output });
      return outcome.output.write(unit);
    case 'failed':
      await change({ status: 'Failed', error: outcome.error });
      return [];
    case 'later':
    case 'unreachable':
      if (operation.status !== 'Pending' || operation.error !== outcome.error) {
        await change({ status: 'Pending', error: outcome.error });
      }
      return [];
  }
}

/** The result of the work, or `stopped` when the interrupt comes first. */
function runUntil<T>(interrupts: Set<() => void>, work: Promise<T>): Promise<T | 'stopped'> {
  return new Promise((resolve, reject) => {
    const interrupt = () => {
      resolve('stopped');
    };
    interrupts.add(interrupt);
    work.then(resolve, reject).finally(() => {
      interrupts.delete(interrupt);
    });
  });
}
