import { everyNamespace, type Reader } from '../ports/database.js';
import type { CursorRow } from '../ports/chain-tables.js';
import { equal, oldestFirst } from '../wire/query.js';

/** Name of the one stream of membership and pins. */
export const networkSource = 'network';

/** How far the network's logs are read, and on which chain; undefined before the first page. */
export async function readCursor(database: Reader): Promise<CursorRow | undefined> {
  const where = [equal('source', networkSource)];
  const [row] = await database.find('cursors', { namespace: everyNamespace, where, sort: oldestFirst, limit: 1 });
  return row;
}
