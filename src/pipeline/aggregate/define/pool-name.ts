import type { Unit } from '../../../ports/database.js';
import type { PoolRow } from '../../../ports/token-tables.js';
import { equal, oldestFirst } from '../../../wire/query.js';

/**
 * The name under which an arriving pool is shown here: that of the network, or, where a pool of this node has it, the
 * first free one of `<name>-1`, `-2`, … (docs/protocol.md §9.3): what the user named stays.
 */
export async function freePoolName(unit: Unit, namespace: string, networkName: string): Promise<string> {
  for (let count = 0; ; count++) {
    const name = count === 0 ? networkName : `${networkName}-${count}`;
    if ((await findNamed(unit, namespace, name)) === undefined) return name;
  }
}

/**
 * The name of a pool whose definition is confirmed. A pool of this node that holds it and is to be defined by the same
 * network name has lost it, since its definition comes too late: it gets the other name for as long as it lasts.
 */
export async function takePoolName(unit: Unit, { namespace, name, networkName, sequence }: PoolRow): Promise<string> {
  if (networkName === null || name === networkName) return name;
  const holder = await findNamed(unit, namespace, networkName);
  if (holder === undefined) return networkName;
  if (!(await isTooLate(unit, holder, networkName))) return name;
  const rename = (row: number, to: string) =>
    unit.update('pools', { namespace, where: [equal('sequence', row)] }, { name: to });
  // Names are unique at every moment: no user can give one with this character.
  await rename(sequence, `~${name}`);
  await rename(holder.sequence, name);
  return networkName;
}

/** Whether a pool was asked for that will be, or is, defined by a network name that has just been given. */
async function isTooLate(unit: Unit, { namespace, pin, txid }: PoolRow, networkName: string): Promise<boolean> {
  if (pin !== null || txid === null) return false;
  const where = [equal('tx', txid), equal('type', 'token_create_pool')];
  const operations = await unit.find('operations', { namespace, where, sort: oldestFirst, limit: maxAttempts });
  return operations.some(({ input }) => input['publish'] === true && input['networkName'] === networkName);
}

/** More often than anybody tries again. */
const maxAttempts = 1_000;

async function findNamed(unit: Unit, namespace: string, name: string): Promise<PoolRow | undefined> {
  const [row] = await unit.find('pools', { namespace, where: [equal('name', name)], sort: oldestFirst, limit: 1 });
  return row;
}
