import { maxListeners, sourceSubject } from '../../../domain/contracts/listener.js';
import { ChainError } from '../../../ports/blockchain.js';
import type { Database, Unit } from '../../../ports/database.js';
import type { ListenerRow } from '../../../ports/tables/contract-tables.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import { readCursor } from '../../state/chain/cursor.js';
import type { Step } from '../../loop.js';
import type { Join } from '../chain/join.js';
import type { ListenerApplier } from './listener.js';
import type { Sources } from '../chain/sources.js';

export interface ListenerJoinParts {
  readonly database: Database;
  readonly join: Join;
  readonly sources: Pick<Sources, 'refresh'>;
  readonly listeners: Pick<ListenerApplier, 'writesForHistory' | 'readsOf'>;
}

/**
 * Returns the step that reads the history of each new listener and then follows it. If the chain is unreachable for one
 * listener, the others go on, and the step is repeated.
 */
export function createListenerJoinStep(parts: ListenerJoinParts): (signal: AbortSignal) => Promise<Step> {
  const { database } = parts;
  return async (signal) => {
    let away: ChainError | undefined;
    const joining = { namespace: every, state: 'joining' } as const;
    for (const row of await database.rows('listeners', joining, { limit: maxListeners })) {
      try {
        await follow(parts, row, signal);
      } catch (error) {
        if (!(error instanceof ChainError) || error.reason !== 'unreachable') throw error;
        away ??= error;
      }
    }
    if (away !== undefined) throw away;
    return { hasWorked: false, rings: [] };
  };
}

async function follow(parts: ListenerJoinParts, row: ListenerRow, signal: AbortSignal): Promise<void> {
  const { database, join, sources, listeners } = parts;
  const reads = listeners.readsOf(row);
  const { namespace, id } = row;
  const rows = reads.map(({ address, topics }): NewRow<'sources'> => {
    return { namespace, kind: 'listener', subject: sourceSubject(id, address), address, topics, withInput: false };
  });
  const begun = await database.transaction((unit) => begin(unit, row, rows));
  if (begun === 'following') await sources.refresh();
  if (typeof begun === 'string') return;
  const from = begun.firstBlock;
  await join(
    {
      sources: rows,
      reads,
      from,
      writesFor: (logs) => listeners.writesForHistory(row, logs),
      isWanted: (unit) => isJoining(unit, row),
      finish: async (unit) => {
        await settle(unit, row);
        return [];
      },
    },
    signal,
  );
}

/**
 * Starts a listener. One that begins after the last block read has no history and follows at once. Returns `later`
 * while nothing of the chain was read and the newest block is unknown.
 */
async function begin(
  unit: Unit,
  row: ListenerRow,
  rows: readonly NewRow<'sources'>[],
): Promise<'later' | 'following' | { readonly firstBlock: number }> {
  const cursor = await readCursor(unit);
  if (cursor === undefined || !(await isJoining(unit, row))) return 'later';
  const firstBlock = row.firstBlock ?? cursor.block + 1;
  if (firstBlock <= cursor.block) return { firstBlock };
  await unit.put('sources', rows);
  await settle(unit, row, { firstBlock });
  return 'following';
}

function isJoining(unit: Unit, { namespace, id }: ListenerRow): Promise<boolean> {
  return unit.has('listeners', { namespace, id, state: 'joining' });
}

async function settle(
  unit: Unit,
  { namespace, id }: ListenerRow,
  changes: Partial<Pick<ListenerRow, 'firstBlock'>> = {},
): Promise<void> {
  await unit.update('listeners', { namespace, id }, { state: 'following', ...changes });
}
