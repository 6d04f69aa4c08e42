import { createDiskCalls } from './disk-calls.js';
import type { Faults } from './faults.js';
import { createScheduler, type TraceEntry } from './scheduler.js';
import { kindOf } from './seed-kinds.js';
import { InvariantViolation } from './shadow.js';
import type { Situation } from './situations.js';
import { createSqliteStorage } from './sqlite-storage.js';
import { createMemoryStorage, type Storage } from './storage.js';
import { runWorld } from './world.js';

export interface SeedResult {
  readonly seed: number;
  readonly traceHash: string;
  readonly steps: number;
  readonly situations: ReadonlyMap<Situation, number>;
  readonly failure: SeedFailure | undefined;
}

export interface SeedFailure {
  /** Number of the invariant, or `error` for any other failure. */
  readonly invariant: string;
  readonly error: Error;
  readonly lastEvents: readonly TraceEntry[];
}

export interface SeedOptions {
  readonly amend?: (faults: Faults) => Faults;
}

/** Runs one seed. Never rejects: failures are part of the result. */
export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedResult> {
  const kind = kindOf(seed);
  const calls = kind?.isOnDisk === true ? createDiskCalls() : undefined;
  const scheduler = createScheduler(seed, calls?.settle);
  const storages: Storage[] = [];
  const createStorage = (): Storage => {
    const storage =
      calls === undefined ? createMemoryStorage() : createSqliteStorage({ calls, onFailure: scheduler.fail });
    storages.push(storage);
    return storage;
  };
  const situations = new Map<Situation, number>();
  const sometimes = (situation: Situation): void =>
    void situations.set(situation, (situations.get(situation) ?? 0) + 1);
  let failure: SeedFailure | undefined;
  try {
    const amend = kind && ((faults: Faults) => kind.amend(faults, seed));
    await runWorld({ scheduler, sometimes, createStorage, amend, ...options });
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const invariant = error instanceof InvariantViolation ? error.invariant : 'error';
    failure = { invariant, error, lastEvents: scheduler.lastEvents() };
  } finally {
    for (const storage of storages) await storage.release();
  }
  return { seed, traceHash: scheduler.traceHash(), steps: scheduler.steps(), situations, failure };
}

/** Describes a failure for a person. */
export function describeFailure({ seed, failure }: SeedResult): string {
  if (failure === undefined) return `seed ${seed} holds`;
  const { invariant, error, lastEvents } = failure;
  const events = lastEvents.map(({ atMs, actor, what }) => `  ${atMs.toFixed(3).padStart(12)} ms  ${actor}: ${what}`);
  const cause = error.cause instanceof Error ? `\ncaused by: ${error.cause.stack ?? error.cause.message}` : '';
  const sentence = invariant === 'error' ? (error.stack ?? error.message) : error.message;
  return [
    `seed ${seed} breaks ${invariant}: ${sentence}${cause}`,
    `last events:`,
    ...events,
    `replay: npm run sim -- --seed ${seed}`,
  ].join('\n');
}
