import { type Blockchain, type ChainCursor, ChainError, type LogPage } from '../../../ports/blockchain.js';
import type { Database, Unit } from '../../../ports/database.js';
import type { Metrics } from '../../../ports/metrics.js';
import type { Bus } from '../../bus.js';
import { begunSource, isBehind, readCursor, storeCursor } from '../../state/chain/cursor.js';
import type { Applied, SourceApplier, SourceWrite } from './applier.js';
import { revisionOf } from './sources.js';

export interface AheadParts {
  readonly database: Database;
  readonly blockchain: Pick<Blockchain, 'blockHash'>;
  readonly appliers: readonly SourceApplier[];
  readonly bus: Bus;
  readonly metrics: Metrics;
}

/** Stores the contract logs of large pages in parts, so that no page delays other units for long. */
export interface Ahead {
  /** Called before the first page, with the last position read and the end of the page that was begun last. */
  begin(after: ChainCursor | undefined, last: ChainCursor | undefined): void;
  /**
   * Writes the contract logs of a page, each part in a unit, before the unit of the page. Returns the writes that are
   * left for that unit, which are all writes of a page of usual size. Rejects with ChainError `other_chain` if a page
   * that was stored in part is no longer on the chain.
   */
  write(page: LogPage): Promise<readonly SourceWrite[]>;
  /** Called when a page is stored. */
  end(page: LogPage): void;
}

/**
 * Any contract can make ten thousand logs in a block, each of which belongs to many pools and listeners: one unit for
 * them took a minute and gigabytes. After a crash the parts that are stored are skipped when the page is read again.
 * The position does not cover them yet, so the end of the page is stored with them: if the chain has replaced its
 * blocks meanwhile, the node stops as it does for blocks that it has read (docs/operations.md §10.1).
 */
export function createAhead({ database, blockchain, appliers, bus, metrics }: AheadParts): Ahead {
  let begun: ChainCursor | undefined;

  async function assertKept({ cursor }: LogPage): Promise<void> {
    if (begun === undefined || begun.blockHash === cursor.blockHash) return;
    const { block, blockHash } = begun;
    const hash = await blockchain.blockHash(block);
    if (hash === blockHash) return;
    if (hash === undefined) throw new ChainError('unreachable', `The chain does not have block ${block} again yet.`);
    const what = `Block ${block} was ${blockHash} and now is ${hash}; this node has stored some of its logs.`;
    throw new ChainError('other_chain', what, undefined, true);
  }

  function writesFor({ logs }: LogPage): readonly SourceWrite[] {
    const ofContracts = logs.flatMap((log) => (log.type === 'contract_log' ? [log] : []));
    return ofContracts.length === 0 ? [] : appliers.flatMap((applier) => applier.writesFor(ofContracts));
  }

  return {
    begin(after, last) {
      begun = last !== undefined && last.block > (after?.block ?? -1) ? last : undefined;
    },
    async write(page) {
      await assertKept(page);
      const writes = writesFor(page);
      if (writes.length <= appliers.length) return writes;
      begun = page.cursor;
      for (const write of writes) {
        const applied = await database.transaction((unit) => writePart(unit, page, write), { isBulk: true });
        if (applied === undefined) break;
        for (const [name, by] of Object.entries(applied.counts)) metrics.count(name, by);
        bus.ring(...applied.bells);
      }
      return [];
    },
    end({ cursor }) {
      if (begun !== undefined && begun.block <= cursor.block) begun = undefined;
    },
  };
}

/** Returns undefined, with nothing written, for a page that is stored already or must be read again. */
async function writePart(unit: Unit, { cursor, revision }: LogPage, write: SourceWrite): Promise<Applied | undefined> {
  if (isBehind(await readCursor(unit), cursor) || (await revisionOf(unit)) > revision) return undefined;
  await storeCursor(unit, await readCursor(unit, begunSource), cursor, begunSource);
  return write(unit);
}
