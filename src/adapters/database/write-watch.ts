import { isDiskFull, LockedDatabase } from '../../wire/errors/disk.js';
import type { Writer } from './connection.js';

/** A connection that writes, and whether it can write now. */
export interface WatchedWriter {
  readonly writer: Writer;
  /** The reason why nothing can be written now, as a phrase; undefined while it can. */
  problem(): string | undefined;
}

/**
 * Twice as long as a write waits for the lock. A node that writes nothing does not notice that the lock is free again,
 * or that there is space again.
 */
const rememberedMs = 10_000;

/**
 * Watches whether another program holds the lock of a file, or the disk of the database is full: from a refused write
 * to the next one that succeeds.
 */
export function watchWrites(writer: Writer): WatchedWriter {
  let refused: { readonly reason: string; readonly atMs: number } | undefined;
  const watched = async <R>(work: Promise<R>): Promise<R> => {
    try {
      return await work;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== undefined) refused = { reason, atMs: performance.now() };
      throw error;
    }
  };
  return {
    writer: {
      ...writer,
      rows: (statement) => watched(writer.rows(statement)),
      async change(statement) {
        const count = await watched(writer.change(statement));
        refused = undefined;
        return count;
      },
    },
    problem() {
      return refused !== undefined && performance.now() - refused.atMs < rememberedMs ? refused.reason : undefined;
    },
  };
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof LockedDatabase) return 'another program has locked it';
  return isDiskFull(error) ? 'its disk is full' : undefined;
}
