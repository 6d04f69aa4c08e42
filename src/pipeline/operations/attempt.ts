import { InvariantError } from '../../domain/invariant.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, Unit } from '../../ports/database.js';
import type { Log } from '../../ports/log.js';
import type { OperationRow, OperationType } from '../../ports/tables.js';
import { among, equal } from '../../wire/query.js';
import { shortened } from '../../wire/sentence.js';
import type { Bell, Bus } from '../bus.js';
import type { Lane } from './lane.js';

/** The outcome of an attempt. */
export type Outcome<Output> =
  | { readonly status: 'done'; readonly output: Output }
  /** The other end of the lane is away: the lane as a whole backs off. */
  | { readonly status: 'unreachable'; readonly error: string }
  /** This one alone must be tried again later. */
  | { readonly status: 'later'; readonly error: string }
  /** Other bytes came than were asked for, perhaps for ever: it is tried again, and never at the cost of others. */
  | { readonly status: 'wrong'; readonly error: string }
  /** The receiver of its effect has already written its end. */
  | { readonly status: 'settled' }
  /** It can never become good; `write` is what follows from that, in the unit that says so. */
  | { readonly status: 'failed'; readonly error: string; readonly write?: Settlement['write'] };

/**
 * The rows that the transaction after a success writes beside the operation's own end, and the stages to wake after the
 * commit.
 */
export interface Settlement {
  /** The output in the operation's record. */
  readonly output: Readonly<Record<string, unknown>>;
  readonly write: (database: Unit) => Promise<readonly Bell[]>;
  /** Whether it writes so much that others should go first. */
  readonly isBulk?: boolean;
  /** Runs after the commit; resolves with the other stages to wake. */
  readonly after?: () => Promise<readonly Bell[]>;
}

/** One type of outside work. It talks outside any transaction, and may be repeated from its beginning at any time. */
export type RunOperation = (operation: OperationRow, signal: AbortSignal) => Promise<Outcome<Settlement>>;

export interface AttemptParts {
  readonly database: Database;
  readonly types: Readonly<Record<OperationType, RunOperation>>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly onDefect: (error: Error) => void;
  /** Told of a lane whose other end has answered. */
  readonly onAnswer?: (lane: string) => void;
}

/** Runs operations once each, and writes what came of it. */
export interface Attempts {
  /** Never rejects: what fails here stays in its row, and is to be tried again in its lane. */
  attempt(lane: Lane, operation: OperationRow): Promise<void>;
  /** Nothing that is under way is waited for any more, and no answer that comes late is written. */
  stop(): void;
  hasStopped(): boolean;
}

/** The attempts of one life. */
export function createAttempts(parts: AttemptParts): Attempts {
  const { database, types, bus, clock, log, onDefect, onAnswer = () => undefined } = parts;
  const stopping = new AbortController();
  const interrupts = new Set<() => void>();

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
    if (outcome.status !== 'unreachable') onAnswer(lane.name);
    if (outcome.status === 'unreachable') lane.repeat(operation.id);
    if (outcome.status === 'later') lane.delay(operation.id);
    if (outcome.status === 'wrong') lane.delayWrong(operation.id);
    if (outcome.status !== 'settled') {
      const isBulk = outcome.status === 'done' && outcome.output.isBulk === true;
      const write = (unit: Unit) => record(unit, operation, outcome, clock.now());
      const bells = await database.transaction(write, { isBulk });
      bus.ring(...bells);
      if (outcome.status === 'done') bus.ring(...((await outcome.output.after?.()) ?? []));
    }
    if (!isOpenEnded(outcome.status)) lane.forget(operation.id);
    if (outcome.status === 'failed') {
      log.error('An operation has failed for good', {
        operation: operation.id,
        type: operation.type,
        error: outcome.error,
      });
    }
  }

  return {
    attempt,
    stop() {
      stopping.abort('stopping');
      for (const interrupt of interrupts) interrupt();
    },
    hasStopped: () => stopping.signal.aborted,
  };
}

/** Contracts, peers and servers say in words of their own why they refuse. */
const maxErrorCharacters = 2_000;

/** Whether there is another attempt. */
function isOpenEnded(status: Outcome<Settlement>['status']): boolean {
  return status === 'later' || status === 'wrong' || status === 'unreachable';
}

/** Ends an operation well; false where it has ended already, and keeps that end (docs/architecture.md §9.2). */
export async function succeed(
  unit: Unit,
  { namespace, id }: Pick<OperationRow, 'namespace' | 'id'>,
  { output, updated }: { readonly output: OperationRow['output']; readonly updated: string },
): Promise<boolean> {
  const selection = { namespace, where: [equal('id', id), isOpen] };
  return (await unit.update('operations', selection, { status: 'Succeeded', error: null, output, updated })) > 0;
}

/** An operation that has ended keeps its end: what comes late writes nothing (docs/architecture.md §9.2). */
async function record(
  unit: Unit,
  operation: OperationRow,
  outcome: Exclude<Outcome<Settlement>, { status: 'settled' }>,
  updated: string,
): Promise<readonly Bell[]> {
  const change = (changes: Partial<OperationRow>) =>
    unit.update(
      'operations',
      { namespace: operation.namespace, where: [equal('id', operation.id), isOpen] },
      { ...changes, updated },
    );
  const waitWith = async (error: string): Promise<readonly Bell[]> => {
    if (operation.status !== 'Pending' || operation.error !== error) await change({ status: 'Pending', error });
    return [];
  };
  switch (outcome.status) {
    case 'done':
      if (!(await succeed(unit, operation, { output: outcome.output.output, updated }))) return [];
      return outcome.output.write(unit);
    case 'failed': {
      if ((await change({ status: 'Failed', error: shortened(outcome.error, maxErrorCharacters) })) === 0) return [];
      const bells = (await outcome.write?.(unit)) ?? [];
      // Wakes the stages that wait for it; in the lane a place is free.
      return ['operations', ...bells];
    }
    case 'later':
    case 'wrong':
    case 'unreachable':
      return waitWith(shortened(outcome.error, maxErrorCharacters));
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
