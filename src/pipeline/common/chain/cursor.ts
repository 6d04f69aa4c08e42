import type { Reader } from '../../../ports/database.js';
import type { CursorRow } from '../../../ports/tables/chain-tables.js';

export const networkSource = 'network';

/** Returns the last position read of the network's logs, and its chain; undefined before the first page. */
export function readCursor(database: Reader): Promise<CursorRow | undefined> {
  return database.first('cursors', { source: networkSource });
}
