import { everyNamespace, type Reader } from '../../src/ports/database.js';
import { oldestFirst } from '../../src/wire/lists/query.js';
import type { Oracle } from './oracle.js';
import { InvariantViolation } from './shadow.js';

const everything = 1_000;

/** I10: a party has exactly the winning datatypes. */
export async function checkDatatypes(party: string, disk: Reader, oracle: Oracle): Promise<void> {
  const query = { namespace: everyNamespace, where: [], sort: oldestFirst, limit: everything } as const;
  const rows = await disk.find('datatypes', query);
  const here = rows.map(({ id, name, version, hash }) => `${name}@${version} ${id} ${hash}`);
  const there = oracle
    .datatypes()
    .winners()
    .map(({ id, name, version, hash }) => `${name}@${version} ${id} ${hash}`);
  if (here.sort().join() === there.sort().join()) return;
  throw new InvariantViolation('I10', `${party} has the datatypes ${here.join()}, not ${there.join()}`);
}
