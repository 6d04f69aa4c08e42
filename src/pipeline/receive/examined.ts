import { examinePayload, type ExaminedPayload } from '../../domain/verify.js';
import { type Database, everyNamespace, type Unit, type UnitOptions } from '../../ports/database.js';
import { type Judge, JudgeError } from '../../ports/judge.js';
import { assert } from '../../domain/invariant.js';
import { equal, oldestFirst } from '../../wire/query.js';

/** The payloads of this database that were read before the unit that needs them. */
export interface Examined {
  /** The payload with this hash; it is here. */
  of(hash: string): ExaminedPayload;
}

export interface ExamineParts {
  readonly database: Database;
  readonly judge: Judge;
  readonly signal: AbortSignal;
  readonly turn: UnitOptions;
}

/** A unit needs a payload that has come since it was prepared. */
class NotExamined extends Error {
  constructor(readonly hash: string) {
    super(`The payload ${hash} was not read before the unit`);
    this.name = 'NotExamined';
  }
}

/**
 * Runs a unit that judges payloads of this database. They are read before it begins: units run one after the other, and
 * everything waits for the one that runs. Of `hashes` those are read that are here. A unit that needs another one
 * leaves nothing behind, and runs again when that is read.
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
  const query = { namespace: everyNamespace, where: [equal('hash', hash)], sort: oldestFirst, limit: 1 } as const;
  const [payload] = await database.find('payloads', query);
  if (payload === undefined) return undefined;
  const { text } = payload;
  try {
    return judge.now('payload', text) ?? (await judge.ask('payload', text, { lane: 'pinned', limitMs, signal }));
  } catch (error) {
    if (!(error instanceof JudgeError) || error.reason === 'stopped') throw error;
    // The chain does not wait for a thread that has died: reading a payload takes no longer than its length allows.
    return examinePayload(text);
  }
}

/** Longer than the largest payload takes anywhere. */
const limitMs = 20_000;
