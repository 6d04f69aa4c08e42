import { type Blockchain, ChainError, type ContractLog, type LogSource } from '../../../ports/blockchain.js';
import type { Database, Unit } from '../../../ports/database.js';
import type { Metrics } from '../../../ports/metrics.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import type { Bell, Bus } from '../../bus.js';
import { readCursor } from '../../state/chain/cursor.js';
import type { SourceWrite } from './applier.js';
import type { Sources } from './sources.js';

export interface JoinParts {
  readonly database: Database;
  readonly blockchain: Pick<Blockchain, 'readLogs'>;
  readonly sources: Sources;
  readonly bus: Bus;
  readonly metrics: Metrics;
}

/** A source to be followed from now on, with its history. */
export interface Joining {
  readonly sources: readonly NewRow<'sources'>[];
  readonly reads: readonly LogSource[];
  readonly from: number;
  /** Sources that begin before `from`; that part of their history is read first. */
  readonly before?: (LogSource & { readonly from: number }) | undefined;
  /** Returns the writes of a part of the history, each for a unit, to be run in this order. */
  readonly writesFor: (logs: readonly ContractLog[]) => readonly SourceWrite[];
  /** Checked in each unit; false ends the join. */
  readonly isWanted: (unit: Unit) => Promise<boolean>;
  /** Writes the results in the unit in which the source joins. */
  readonly finish: (unit: Unit) => Promise<readonly Bell[]>;
}

/**
 * Reads the history of a source up to the block that this node has read, and adds the source to the stream of the chain
 * in a unit that finds no gap between the two. Returns `unread` if the chain is not read up to `from` yet. A crash
 * restarts the join. Rejects with ChainError `unreachable`.
 */
export type Join = (joining: Joining, signal: AbortSignal) => Promise<'joined' | 'unwanted' | 'unread'>;

const firstBlocks = 100;
const maxBlocks = 5_000;
/** A read with more logs than `manyLogs` halves the next step, one with fewer than `fewLogs` doubles it. */
const manyLogs = 2_000;
const fewLogs = 500;

export function createJoin({ database, blockchain, sources, bus, metrics }: JoinParts): Join {
  async function run(joining: Joining, write: SourceWrite): Promise<boolean> {
    const applied = await database.transaction(
      async (unit) => ((await joining.isWanted(unit)) ? write(unit) : undefined),
      { isBulk: true },
    );
    if (applied === undefined) return false;
    for (const [name, by] of Object.entries(applied.counts)) metrics.count(name, by);
    bus.ring(...applied.bells);
    return true;
  }

  /** Adds the source to the stream if `block`, up to which its history is written, is still the last block read. */
  function attach(joining: Joining, block: number): Promise<readonly Bell[] | 'behind' | 'unwanted'> {
    return database.transaction(async (unit) => {
      if (!(await joining.isWanted(unit))) return 'unwanted';
      if ((await readCursor(unit))?.block !== block) return 'behind';
      await unit.put('sources', joining.sources);
      return joining.finish(unit);
    });
  }

  return async (joining, signal) => {
    const { before, from } = joining;
    let next = Math.min(before?.from ?? from, from);
    for (let step = firstBlocks; ;) {
      signal.throwIfAborted();
      const head = (await readCursor(database))?.block;
      if (head === undefined || head < joining.from) return 'unread';
      const isBefore = before !== undefined && next < from;
      const to = Math.min(next + step - 1, isBefore ? from - 1 : head);
      const reads = isBefore ? [before] : joining.reads;
      const logs = next > to ? [] : await readAll(blockchain, reads, next, to);
      if (logs === undefined) {
        step = Math.max(1, Math.floor((to - next + 1) / 2));
        continue;
      }
      for (const write of joining.writesFor(logs)) {
        if (!(await run(joining, write))) return 'unwanted';
      }
      next = Math.max(next, to + 1);
      if (logs.length > manyLogs) step = Math.max(1, Math.floor(step / 2));
      else if (logs.length < fewLogs) step = Math.min(maxBlocks, step * 2);
      if (next <= head) continue;
      const bells = await attach(joining, next - 1);
      if (bells === 'unwanted') return 'unwanted';
      if (bells === 'behind') continue;
      await sources.refresh();
      bus.ring(...bells);
      return 'joined';
    }
  };
}

/** Returns the logs in these blocks; undefined if there are too many for one read. */
async function readAll(
  blockchain: Pick<Blockchain, 'readLogs'>,
  reads: readonly LogSource[],
  from: number,
  to: number,
): Promise<readonly ContractLog[] | undefined> {
  try {
    const [first = [], ...others] = await Promise.all(reads.map((source) => blockchain.readLogs(source, from, to)));
    return others.length === 0 ? first : [first, ...others].flat().sort(byPlace);
  } catch (error) {
    if (error instanceof ChainError && error.reason === 'too_many_logs') return undefined;
    throw error;
  }
}

function byPlace({ position: a }: ContractLog, { position: b }: ContractLog): number {
  return a.block - b.block || a.transactionIndex - b.transactionIndex || a.logIndex - b.logIndex;
}
