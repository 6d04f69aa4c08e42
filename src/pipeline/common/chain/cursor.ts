import { everyNamespace, type Reader } from '../../../ports/database.js';
import type { CursorRow } from '../../../ports/tables/chain-tables.js';
import { equal, oldestFirst } from '../../../wire/lists/query.js';

export const networkSource = 'network';

/** Returns the last position read of the network's logs, and its chain; undefined before the first page. */
export async function readCursor(database: Reader): Promise<CursorRow | undefined> {
  const where = [equal('source', networkSource)];
  const [row] = await database.find('cursors', { namespace: everyNamespace, where, sort: oldestFirst, limit: 1 });
  return row;
}
