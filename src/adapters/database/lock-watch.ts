import { LockedDatabase } from '../../wire/errors/disk.js';
import type { Writer } from './connection.js';

/** A connection that writes to a file, and whether it can write now. */
export interface WatchedWriter {
  readonly writer: Writer;
  /** The reason why nothing can be written now; undefined while it can. */
  problem(): string | undefined;
}

/**
 * Twice as long as a write waits for the lock. A node that writes nothing does not notice that the lock is free again.
 */
const rememberedMs = 10_000;

/** Watches whether another program holds the lock of a file: from a refused write to the next one that succeeds. */
export function watchLock(writer: Writer): WatchedWriter {
  let refusedAtMs: number | undefined;
  const watched = async <R>(work: Promise<R>): Promise<R> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof LockedDatabase) refusedAtMs = performance.now();
      throw error;
    }
  };
  return {
    writer: {
      ...writer,
      rows: (statement) => watched(writer.rows(statement)),
      async change(statement) {
        const count = await watched(writer.change(statement));
        refusedAtMs = undefined;
        return count;
      },
    },
    problem() {
      const isLocked = refusedAtMs !== undefined && performance.now() - refusedAtMs < rememberedMs;
      return isLocked ? 'another program has locked it' : undefined;
    },
  };
}
