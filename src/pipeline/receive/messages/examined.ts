import { examinePayload, type ExaminedPayload } from '../../../domain/messages/verify.js';
import type { Database, Unit, UnitOptions } from '../../../ports/database.js';
import { type Judge, JudgeError } from '../../../ports/judge.js';
import { assert } from '../../../domain/invariant.js';

/** Payloads of this database, read before the unit that needs them. */
export interface Examined {
  /** Throws `NotExamined` if the payload was not read; `withExamined` then reads it and repeats the unit. */
  of(hash: string): ExaminedPayload;
}

export interface ExamineParts {
  readonly database: Database;
  readonly judge: Judge;
  readonly signal: AbortSignal;
  readonly turn: UnitOptions;
}

/** Thrown in a unit that needs a payload that was not read before it. */
class NotExamined extends Error {
  constructor(readonly hash: string) {
    super(`The payload ${hash} was not read before the unit`);
    this.name = 'NotExamined';
  }
}

/**
 * Runs a unit that judges stored payloads. Payloads are read before it begins, because units run one at a time and a
 * slow one delays all others. A unit that needs a payload not in `hashes` is rolled back and repeated once that is
 * read.
 */
export async function withExamined<R>(
  parts: ExamineParts,
  hashes: readonly string[],
  run: (unit: Unit, examined: Examined) => Promise<R>,
): Promise<R> {
  const known = new Map<string, ExaminedPayload>();
  const add = async (hash: string): Promise<boolean> => {
    const payload = await examine(parts, hash);
    if (payload !== undefined) known.set(hash, payload);
    return payload !== undefined;
  };
  const examined: Examined = {
    of(hash) {
      const payload = known.get(hash);
      if (payload === undefined) throw new NotExamined(hash);
      return payload;
    },
  };
  for (const hash of new Set(hashes)) await add(hash);
  for (;;) {
    try {
      return await parts.database.transaction((unit) => run(unit, examined), parts.turn);
    } catch (error) {
      if (!(error instanceof NotExamined)) throw error;
      assert(await add(error.hash), 'a batch that was sealed here, or brought by a peer, has its payload');
    }
  }
}

async function examine({ database, judge, signal }: ExamineParts, hash: string): Promise<ExaminedPayload | undefined> {
  const payload = await database.first('payloads', { hash });
  if (payload === undefined) return undefined;
  const { text } = payload;
  try {
    return judge.now('payload', text) ?? (await judge.ask('payload', text, { lane: 'pinned', limitMs, signal }));
  } catch (error) {
    if (!(error instanceof JudgeError) || error.reason === 'stopped') throw error;
    // The chain must not wait for a dead thread, and reading a payload takes no longer than its length allows.
    return examinePayload(text);
  }
}

/** Longer than the largest payload takes on any machine. */
const limitMs = 20_000;
