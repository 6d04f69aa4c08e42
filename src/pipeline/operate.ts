import { InvariantError } from '../domain/invariant.js';
import type { Clock } from '../ports/clock.js';
import { type Database, everyNamespace, type Unit } from '../ports/database.js';
import type { Log } from '../ports/log.js';
import type { OperationRow, OperationStatus, OperationType } from '../ports/tables.js';
import { among, type Condition, equal, oldestFirst } from '../wire/query.js';
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
/** How many of the operations that were tried in an earlier life are read at once. */
const maxEarlier = 500;

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
  let hasTakenUp = false;

  async function step() {
    if (!hasTakenUp) await takeUp(database, queues);
    hasTakenUp = true;
    for (const lane of queues) lane.forgetEnded();
    const fresh = await readFresh(database, queues);
    for (const lane of queues) {
      const next = await nextOf(database, lane, fresh);
      // What began now would not be interrupted, and the stop would wait for it.
      if (stopping.signal.aborted) break;
      for (const operation of next) lane.begin(operation.id, attempt(lane, operation));
    }
    return { hasWorked: false, rings: [] };
  }

  /** Never rejects: what fails here stays in its row. */
  async function attempt(lane: Lane, operation: OperationRow): Promise<void> {
    try {
      const outcome = await runUntil(interrupts, run(operation));
      if (outcome !== 'stopped') await settle(lane, operation, outcome);
    } catch (error) {
      report(operation, error);
      lane.delay(operation.id);
    }
  }

  async function run(operation: OperationRow): Promise<Outcome<Settlement>> {
    try {
      return await types[operation.type](operation, stopping.signal);
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      report(operation, error);
      // It counts as tried: what fails in this way again and again must not stand before what was never tried.
      return { status: 'later', error: 'This node met an error of its own; its log says more.' };
    }
  }

  function report(operation: OperationRow, error: unknown): void {
    if (stopping.signal.aborted) return;
    log.error('An operation met a defect and will be repeated', { operation: operation.id, error });
    if (error instanceof InvariantError) onDefect(error);
  }

  async function settle(lane: Lane, operation: OperationRow, outcome: Outcome<Settlement>): Promise<void> {
    if (outcome.status === 'unreachable') lane.backOff(outcome.error);
    else lane.recover();
    if (outcome.status === 'unreachable') lane.repeat(operation.id);
    if (outcome.status === 'later') lane.delay(operation.id);
    const bells = await database.transaction((unit) => record(unit, operation, outcome, clock.now()));
    bus.ring(...bells);
    if (outcome.status === 'done' || outcome.status === 'failed') lane.forget(operation.id);
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

/** Operations that an earlier life has tried and not brought to an end are to be tried again, all of them. */
async function takeUp(database: Database, lanes: readonly Lane[]): Promise<void> {
  for (const lane of lanes) {
    for (let after = 0, isWhole = false; !isWhole;) {
      const where = [{ field: 'sequence', is: 'above', value: after } as const, ...ofStatus(lane, 'Pending')];
      const rows = await readOperations(database, where, maxEarlier);
      for (const { id } of rows) lane.repeat(id);
      after = rows.at(-1)?.sequence ?? after;
      isWhole = rows.length < maxEarlier;
    }
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
  const ofLane = fresh?.filter((operation) => operation.lane === lane.name);
  const untried = ofLane ?? (await readOperations(database, ofStatus(lane, 'Initialized'), lane.maxInFlight));
  const first = untried.filter(({ id }) => lane.isFree(id)).slice(0, room);
  const due = lane.due(room).filter((id) => first.every((operation) => operation.id !== id));
  if (due.length === 0) return first;
  const repeats = await readOperations(database, [among('id', due)], due.length);
  return [...first, ...repeats].slice(0, room);
}

function ofStatus(lane: Lane, status: OperationStatus): readonly Condition[] {
  return [equal('lane', lane.name), equal('status', status)];
}

function readOperations(
  database: Database,
  where: readonly Condition[],
  limit: number,
): Promise<readonly OperationRow[]> {
  return database.find('operations', { namespace: everyNamespace, where, sort: oldestFirst, limit });
}

/** An operation that has ended keeps its end: what comes late writes nothing (assurance B30). */
async function record(
  unit: Unit,
  operation: OperationRow,
  outcome: Outcome<Settlement>,
  updated: string,
): Promise<readonly Bell[]> {
  const change = (changes: Partial<OperationRow>) =>
    unit.update(
      'operations',
      { namespace: operation.namespace, where: [equal('id', operation.id), isOpen] },
      { ...changes, updated },
    );
  switch (outcome.status) {
    case 'done':
      if ((await change({ status: 'Succeeded', error: null, output: outcome.output.output })) === 0) return [];
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

const isOpen = among('status', ['Initialized', 'Pending']);

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
