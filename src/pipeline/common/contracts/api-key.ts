import { systemNamespace } from '../../../domain/network/identity.js';
import type { ApiRow } from '../../../ports/tables/contract-tables.js';
import type { Reader } from '../../../ports/database.js';
import { equal, oldestFirst } from '../../../wire/lists/query.js';

/** Returns the key that published an API; undefined for a local one. */
export async function keyOfApi(reader: Reader, { pin }: Pick<ApiRow, 'pin'>): Promise<string | undefined> {
  if (pin === null) return undefined;
  const where = [equal('sequence', pin)];
  const [row] = await reader.find('pins', { namespace: systemNamespace, where, sort: oldestFirst, limit: 1 });
  return row?.signer;
}
