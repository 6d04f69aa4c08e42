import { everyNamespace, type Unit } from '../../../ports/database.js';
import type { TableName } from '../../../ports/tables/tables.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import { equal, oldestFirst } from '../../../wire/lists/query.js';
import type { Bell } from '../../bus.js';
import { markDue } from '../messages/contexts.js';

const parts: readonly (readonly [TableName, string])[] = [
  ['transfers', 'pool'],
  ['approvals', 'pool'],
  ['balances', 'pool'],
  ['accountpools', 'pool'],
  ['blockchainevents', 'origin'],
];

/**
 * Deletes a pool with all its records and stops following it (docs/api.md §19.1). Accounts without other pools are
 * deleted.
 */
export async function removePool(unit: Unit, { namespace, id, sequence }: PoolRow): Promise<void> {
  const query = { namespace, where: [equal('pool', id)], sort: oldestFirst, limit: maxAccounts } as const;
  const holders = (await unit.find('accountpools', query)).map(({ key }) => key);
  for (const [table, column] of parts) await unit.remove(table, { namespace, where: [equal(column, id)] });
  for (const key of holders) {
    const where = [equal('key', key)];
    if ((await unit.count('accountpools', { namespace, where })) === 0) {
      await unit.remove('accounts', { namespace, where });
    }
  }
  await unit.remove('sources', { namespace, where: [equal('kind', 'pool'), equal('subject', id)] });
  await unit.remove('pools', { namespace, where: [equal('sequence', sequence)] });
}

/** The `on` of a wait for a pool. */
export function poolWait({ namespace, id }: Pick<PoolRow, 'namespace' | 'id'>): string {
  return `pool:${namespace}/${id}`;
}

/** Marks the contexts as due that wait for a pool. Returns the bells to ring. */
export async function releasePool(unit: Unit, pool: Pick<PoolRow, 'namespace' | 'id'>): Promise<readonly Bell[]> {
  const where = [equal('on', poolWait(pool))];
  const waits = await unit.find('waits', { namespace: everyNamespace, where, sort: oldestFirst, limit: maxWaiting });
  await markDue(
    unit,
    waits.map(({ context }) => context),
  );
  return ['due'];
}

const maxWaiting = 100_000;
const maxAccounts = 1_000_000;
