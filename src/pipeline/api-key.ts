import { systemNamespace } from '../domain/identity.js';
import type { ApiRow } from '../ports/contract-tables.js';
import type { Reader } from '../ports/database.js';
import { equal, oldestFirst } from '../wire/query.js';

/** The key whose definition has shared an API, by the pin of that; undefined of one that is this node's alone. */
export async function keyOfApi(reader: Reader, { pin }: Pick<ApiRow, 'pin'>): Promise<string | undefined> {
  if (pin === null) return undefined;
  const where = [equal('sequence', pin)];
  const [row] = await reader.find('pins', { namespace: systemNamespace, where, sort: oldestFirst, limit: 1 });
  return row?.signer;
}
