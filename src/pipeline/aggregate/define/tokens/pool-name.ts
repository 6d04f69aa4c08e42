import type { Unit } from '../../../../ports/database.js';
import type { PoolRow } from '../../../../ports/tables/token-tables.js';

/**
 * Returns the name of a pool whose definition is confirmed. A local pool with that name that was to be published under
 * it came too late, so the two swap names.
 */
export async function takePoolName(unit: Unit, { namespace, name, networkName, sequence }: PoolRow): Promise<string> {
  if (networkName === null || name === networkName) return name;
  const holder = await findNamed(unit, namespace, networkName);
  if (holder === undefined) return networkName;
  if (!(await isTooLate(unit, holder, networkName))) return name;
  const rename = (row: number, to: string) => unit.update('pools', { sequence: row }, { name: to });
  // Names must be unique at every moment; users cannot choose one with `~`.
  await rename(sequence, `~${name}`);
  await rename(holder.sequence, name);
  return networkName;
}

/** Whether the pool was requested with publication under a network name that another pool has now. */
async function isTooLate(unit: Unit, { namespace, pin, txid }: PoolRow, networkName: string): Promise<boolean> {
  if (pin !== null || txid === null) return false;
  const operations = await unit.rows(
    'operations',
    { namespace, tx: txid, type: 'token_create_pool' },
    { limit: maxAttempts },
  );
  return operations.some(({ input }) => input['publish'] === true && input['networkName'] === networkName);
}

/** More than anyone retries. */
const maxAttempts = 1_000;

function findNamed(unit: Unit, namespace: string, name: string): Promise<PoolRow | undefined> {
  return unit.first('pools', { namespace, name });
}
