import type { Reader } from '../../src/ports/database.js';
import { every } from '../../src/ports/tables/where.js';
import type { Winner } from './oracle-datatypes.js';
import type { Oracle } from './oracle.js';
import { InvariantViolation } from './shadow.js';

const everything = 1_000;

/** I10: a party has exactly the winning datatypes. */
export async function checkDatatypes(party: string, disk: Reader, oracle: Oracle): Promise<void> {
  const rows = await disk.rows('datatypes', { namespace: every }, { limit: everything });
  const here = rows.map(textOf);
  const there = oracle.datatypes().winners().map(textOf);
  if (here.sort().join() === there.sort().join()) return;
  throw new InvariantViolation('I10', `${party} has the datatypes ${here.join()}, not ${there.join()}`);
}

function textOf({ namespace, name, version, id, hash }: Omit<Winner, 'kind' | 'organization'>): string {
  return `${namespace}/${name}@${version} ${id} ${hash}`;
}
