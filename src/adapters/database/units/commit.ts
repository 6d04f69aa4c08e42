import { setImmediate } from 'node:timers/promises';
import { ConflictError, type Unit, type UnitOptions } from '../../../ports/database.js';
import type { Failpoint } from '../../../ports/failpoint.js';
import type { Metrics } from '../../../ports/metrics.js';
import { LostConnection } from '../../../wire/errors/disk.js';
import type { Ending, Session } from './session.js';

export interface GroupCommit {
  /** Runs a unit in a transaction that it may share, and resolves when it is on disk. */
  transaction<R>(unit: (database: Unit) => Promise<R>, options?: UnitOptions): Promise<R>;

  /** Resolves when no unit waits or runs. */
  drain(): Promise<void>;
}

interface GroupCommitParts {
  readonly session: Session;
  readonly failpoint: Failpoint;
  readonly metrics: Metrics;
}

interface Waiting {
  readonly unit: (database: Unit) => Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A repeated run of a group, after a conflict at a key that was assumed to be free, or after lost connections. */
interface Run {
  readonly isCareful?: boolean;
  readonly losses?: number;
}

const maxUnitsPerCommit = 200;
const maxWaitingUnits = 20_000;
/** How often units run again after a lost connection: one of them may be the cause. */
const maxLosses = 3;

/**
 * Commits units in groups: while one transaction is being written to disk, the next units are collected. An idle node
 * commits at once, a busy one commits many units with one sync, and there is no timer. The units of a transaction run
 * one after the other. If anything fails in a shared transaction, all of it is rolled back and its units run again one
 * by one, so that only the faulty one fails.
 *
 * Bulk units share no commit, and alternate with the groups of all others: however much a member sends, a small unit
 * waits only for one part of it.
 */
export function createGroupCommit(parts: GroupCommitParts): GroupCommit {
  const groups = createGroups(parts);
  const waiting = createQueue();
  let running: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    while (waiting.count() > 0) {
      // Units that arrive in this turn of the event loop still join the group.
      await setImmediate();
      const group = waiting.take();
      await groups.run(group);
    }
    running = undefined;
  }

  return {
    transaction: (unit, { isBulk = false } = {}) =>
      new Promise((resolve, reject) => {
        if (waiting.count() >= maxWaitingUnits) {
          reject(new Error(`More than ${maxWaitingUnits} units wait for the disk`));
          return;
        }
        // The caller that passed the unit gets its result.
        waiting.add({ unit, resolve: resolve, reject }, isBulk);
        running ??= runAll();
      }),
    drain: async () => {
      while (running) await running;
    },
  };
}

/** Runs groups of units, each in a transaction of its own, and settles their promises. */
function createGroups({ session, failpoint, metrics }: GroupCommitParts) {
  /** Rejects all units of a group whose outcome could not be reported, so that no caller waits forever. */
  async function giveUp(group: readonly Waiting[], error: unknown): Promise<void> {
    await attempt(() => session.rollback());
    for (const each of group) each.reject(error);
  }

  async function runGroup(group: readonly Waiting[], run: Run = {}): Promise<void> {
    const endings: Ending[] = [];
    for (const { unit } of group) {
      const ending = await session.run(unit, run.isCareful);
      if (ending.kind === 'spoiled') return runApart(group, ending.error, run);
      endings.push(ending);
    }
    let rows = 0;
    const failed = await attempt(async () => {
      await failpoint.reach('database.before-commit');
      rows = await session.commit();
    });
    if (failed) return runApart(group, failed.error, run);
    if (rows > 0) metrics.count('parley_database_commits_total');
    metrics.count('parley_database_units_total', group.length);
    metrics.count('parley_database_rows_written_total', rows);
    const hidden = await attempt(() => failpoint.reach('database.after-commit'));
    for (const [i, each] of group.entries())
      settle(each, hidden ? { kind: 'refused', error: hidden.error } : endings[i]);
  }

  async function runApart(group: readonly Waiting[], error: unknown, run: Run): Promise<void> {
    const stuck = await attempt(() => session.rollback());
    // A key was assumed to be free because no row in memory has it, and is used: run again and read the file.
    if (!stuck && group.length === 1 && !run.isCareful && error instanceof ConflictError)
      return runGroup(group, { ...run, isCareful: true });
    if (!stuck && error instanceof LostConnection) return runAfterLoss(group, error, run);
    if (stuck || group.length === 1) {
      for (const each of group) each.reject(stuck?.error ?? error);
      return;
    }
    metrics.count('parley_database_groups_split_total');
    for (const each of group) await runGroup([each]);
  }

  /** Runs units again once there is a connection; none of their writes took place. */
  async function runAfterLoss(group: readonly Waiting[], error: LostConnection, run: Run): Promise<void> {
    const losses = (run.losses ?? 0) + 1;
    const failed = losses > maxLosses ? { error } : await attempt(() => session.ready());
    if (failed === undefined) return runGroup(group, { ...run, losses });
    for (const each of group) each.reject(failed.error);
  }

  return {
    async run(group: readonly Waiting[]): Promise<void> {
      const failed = await attempt(() => runGroup(group));
      if (failed) await giveUp(group, failed.error);
    },
  };
}

/** The waiting units: groups of small units and single bulk units take turns. */
function createQueue() {
  const small: Waiting[] = [];
  const bulk: Waiting[] = [];
  let isBulkNext = false;
  return {
    add: (each: Waiting, isBulk: boolean): void => void (isBulk ? bulk : small).push(each),
    count: () => small.length + bulk.length,
    /** Takes the units of the next commit. */
    take(): readonly Waiting[] {
      const isBulk = bulk.length > 0 && (isBulkNext || small.length === 0);
      isBulkNext = !isBulk;
      return isBulk ? bulk.splice(0, 1) : small.splice(0, maxUnitsPerCommit);
    },
  };
}

function settle({ resolve, reject }: Waiting, ending: Ending | undefined): void {
  if (ending?.kind === 'done') resolve(ending.value);
  else reject(ending?.error);
}

/** Returns the error of the work, if it failed. */
async function attempt(work: () => Promise<unknown>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return { error };
  }
}
