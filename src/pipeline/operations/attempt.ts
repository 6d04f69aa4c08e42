import { InvariantError } from '../../domain/invariant.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, Unit } from '../../ports/database.js';
import type { Log } from '../../ports/log.js';
import type { OperationRow, OperationType } from '../../ports/tables/tables.js';
import { isDiskFull } from '../../wire/errors/disk.js';
import { ServiceError } from '../../wire/errors/error.js';
import { shortened } from '../../wire/errors/sentence.js';
import type { Bell, Bus } from '../bus.js';
import type { Lane } from './lane.js';

export type AttemptResult<Output> =
  | { readonly status: 'done'; readonly output: Output }
  /** The service of the lane does not answer; the whole lane backs off. */
  | { readonly status: 'unreachable'; readonly error: string }
  /** Only this operation is retried later. */
  | { readonly status: 'later'; readonly error: string }
  /** The content is missing or has wrong bytes. The operation is retried in such a way that it delays no others. */
  | { readonly status: 'unavailable'; readonly error: string }
  /** The end of the operation is already recorded. */
  | { readonly status: 'settled' }
  /** The operation can never succeed; `write` stores the consequences in the unit that records the failure. */
  | { readonly status: 'failed'; readonly error: string; readonly write?: Settlement['write'] };

/** The result of a successful attempt, written in one transaction with the end of the operation. */
export interface Settlement {
  readonly output: Readonly<Record<string, unknown>>;
  readonly write: (database: Unit) => Promise<readonly Bell[]>;
  /** The namespace of the operation from now on, if only its result tells it. */
  readonly namespace?: string;
  /** Whether the write is large, so that other units go first. */
  readonly isBulk?: boolean;
  /** Called after the commit; returns more bells. */
  readonly after?: () => Promise<readonly Bell[]>;
}

/** Runs one type of operation, outside any transaction. It may be repeated from the beginning at any time. */
export type RunOperation = (operation: OperationRow, signal: AbortSignal) => Promise<AttemptResult<Settlement>>;

export interface AttemptParts {
  readonly database: Database;
  readonly types: Readonly<Record<OperationType, RunOperation>>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly onDefect: (error: Error) => void;
  /** Called when the service of a lane has answered. */
  readonly onAnswer?: (lane: string) => void;
}

/** Runs single attempts and records their outcomes. */
export interface Attempts {
  /** Never rejects: on an error the row stays and the lane retries it. */
  attempt(lane: Lane, operation: OperationRow): Promise<void>;
  /** Interrupts attempts in progress; later answers are not recorded. */
  stop(): void;
  hasStopped(): boolean;
}

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

  async function run(operation: OperationRow): Promise<AttemptResult<Settlement>> {
    try {
      return await types[operation.type](operation, stopping.signal);
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      report(operation, error);
      // Counted as an attempt, so that it does not go before operations that were never tried.
      const reason = isDiskFull(error) ? new ServiceError('no_space').message : internalError;
      return { status: 'later', error: reason };
    }
  }

  function report(operation: OperationRow, error: unknown): void {
    if (stopping.signal.aborted) return;
    if (isDiskFull(error)) {
      log.warn('An operation waits because the disk is full', { operation: operation.id, error });
      return;
    }
    log.error('An operation failed because of a defect and will be retried', { operation: operation.id, error });
    if (error instanceof InvariantError) onDefect(error);
  }

  async function settle(lane: Lane, operation: OperationRow, outcome: AttemptResult<Settlement>): Promise<void> {
    if (outcome.status === 'unreachable') lane.backOff(outcome.error);
    else lane.recover();
    if (outcome.status !== 'unreachable') onAnswer(lane.name);
    if (outcome.status === 'unreachable') lane.repeat(operation.id);
    if (outcome.status === 'later') lane.delay(operation.id);
    if (outcome.status === 'unavailable') lane.delayUnavailable(operation.id);
    if (outcome.status !== 'settled') {
      const isBulk = outcome.status === 'done' && outcome.output.isBulk === true;
      const write = (unit: Unit) => record(unit, operation, outcome, clock.now());
      const bells = await database.transaction(write, { isBulk });
      bus.ring(...bells);
      if (outcome.status === 'done') bus.ring(...((await outcome.output.after?.()) ?? []));
    }
    if (!isOpenEnded(outcome.status)) lane.forget(operation.id);
    if (outcome.status === 'failed') {
      log.error('An operation has failed permanently', {
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

const internalError = 'An internal error occurred in this node; see its log.';
/** Limit of error texts from contracts, peers and servers. */
const maxErrorCharacters = 2_000;

function isOpenEnded(status: AttemptResult<Settlement>['status']): boolean {
  return status === 'later' || status === 'unavailable' || status === 'unreachable';
}

/** Records the success of an operation; returns false if it has already ended (docs/architecture.md §9.2). */
export async function succeed(
  unit: Unit,
  { namespace, id }: Pick<OperationRow, 'namespace' | 'id'>,
  result: Pick<OperationRow, 'output' | 'updated'> & Partial<Pick<OperationRow, 'namespace'>>,
): Promise<boolean> {
  const changes = { status: 'Succeeded', error: null, ...result } as const;
  return (await unit.update('operations', { namespace, id, status: open }, changes)) > 0;
}

/** Records an outcome. An operation that has ended is left as it is (docs/architecture.md §9.2). */
async function record(
  unit: Unit,
  operation: OperationRow,
  outcome: Exclude<AttemptResult<Settlement>, { status: 'settled' }>,
  updated: string,
): Promise<readonly Bell[]> {
  const { namespace, id } = operation;
  const change = (changes: Partial<OperationRow>) =>
    unit.update('operations', { namespace, id, status: open }, { ...changes, updated });
  const waitWith = async (error: string): Promise<readonly Bell[]> => {
    if (operation.status !== 'Pending' || operation.error !== error) await change({ status: 'Pending', error });
    return [];
  };
  switch (outcome.status) {
    case 'done': {
      const { output, write, namespace: place = namespace } = outcome.output;
      return (await succeed(unit, operation, { output, updated, namespace: place })) ? write(unit) : [];
    }
    case 'failed': {
      if ((await change({ status: 'Failed', error: shortened(outcome.error, maxErrorCharacters) })) === 0) return [];
      const bells = (await outcome.write?.(unit)) ?? [];
      // Wakes waiting stages, and fills the free place in the lane.
      return ['operations', ...bells];
    }
    case 'later':
    case 'unavailable':
    case 'unreachable':
      return waitWith(shortened(outcome.error, maxErrorCharacters));
  }
}

const open = ['Initialized', 'Pending'] as const;

/** Resolves with the result of the work, or with `stopped` on an interrupt. */
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
