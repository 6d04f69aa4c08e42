import type { ApiRow } from '../../../ports/tables/contract-tables.js';
import type { Reader } from '../../../ports/database.js';

/** Returns the key that published an API; undefined for a local one. */
export async function keyOfApi(reader: Reader, { pin }: Pick<ApiRow, 'pin'>): Promise<string | undefined> {
  if (pin === null) return undefined;
  const row = await reader.first('pins', { sequence: pin });
  return row?.signer;
}
