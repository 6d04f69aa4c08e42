import { systemNamespace } from '../../../domain/network/identity.js';
import { type ChainCursor, ChainError } from '../../../ports/blockchain.js';
import type { Reader, Unit } from '../../../ports/database.js';
import type { CursorRow } from '../../../ports/tables/chain-tables.js';

export const networkSource = 'network';
/** The end of the last page of which a part was stored before its unit (`receive/chain/ahead.ts`). */
export const begunSource = 'begun';
/** The sources of all positions of this node. */
export const positions: readonly string[] = [networkSource, begunSource];

/** Returns the last position read of the network's logs, and its chain; undefined before the first page. */
export function readCursor(database: Reader, source = networkSource): Promise<CursorRow | undefined> {
  return database.first('cursors', { source });
}

/** Returns the last position read, and the end of the page that was begun last. */
export async function readPositions(database: Reader): Promise<{
  readonly read: CursorRow | undefined;
  readonly begun: CursorRow | undefined;
}> {
  const rows = await database.rows('cursors', { source: positions }, { limit: positions.length });
  const [read, begun] = positions.map((each) => rows.find(({ source }) => source === each));
  return { read, begun };
}

/** Whether a page that ends at `cursor` is already in the rows. Throws if it is of another chain. */
export function isBehind(row: CursorRow | undefined, cursor: ChainCursor): boolean {
  if (row === undefined) return false;
  if (row.genesisHash !== cursor.genesisHash || row.contract !== cursor.contract) {
    throw new ChainError('other_chain', 'The chain or its contract is not the one that this node has read before.');
  }
  return row.block >= cursor.block;
}

/** Stores a position in the place of the row that was read before. */
export async function storeCursor(
  unit: Unit,
  before: CursorRow | undefined,
  { genesisHash, contract, block, blockHash }: ChainCursor,
  source = networkSource,
): Promise<void> {
  const place = { genesisHash, contract, block, blockHash };
  if (before !== undefined) return unit.updateEach('cursors', 'sequence', [{ sequence: before.sequence, ...place }]);
  await unit.insert('cursors', [{ namespace: systemNamespace, source, ...place }]);
}
