import type { Reader } from '../../../ports/database.js';
import type { DataRow } from '../../../ports/tables/tables.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { uuidPattern } from '../../../wire/scalar.js';

/**
 * Returns the item that an id names; of several with one id, the first (docs/api.md §11.1).
 *
 * @throws ServiceError not_uuid, not_found
 */
export async function findItem(database: Reader, namespace: string, dataid: string): Promise<DataRow> {
  const id = dataid.toLowerCase();
  if (!uuidPattern.test(id)) throw new ServiceError('not_uuid', { field: 'The data id', actual: dataid });
  const row = await database.first('data', { namespace, id });
  if (row === undefined) throw new ServiceError('not_found', { what: `data item ${id} in namespace ${namespace}` });
  return row;
}
