import type { Unit } from '../../../ports/database.js';
import type { OperationRow } from '../../../ports/tables/tables.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import type { Bell } from '../../bus.js';
import { afterField } from '../chain/stored-call.js';
import { findWaiting, markDue } from '../messages/contexts.js';

/**
 * Deletes a pool with all its records and stops following it (docs/api.md §19.1). Accounts without other pools are
 * deleted.
 */
export async function removePool(unit: Unit, { namespace, id, sequence }: PoolRow): Promise<void> {
  const holders = await unit.rows('accountpools', { namespace, pool: id }, { limit: maxAccounts });
  for (const table of ['transfers', 'approvals', 'balances', 'accountpools'] as const) {
    await unit.remove(table, { namespace, pool: id });
  }
  await unit.remove('blockchainevents', { namespace, origin: id });
  for (const { key } of holders) {
    if (!(await unit.has('accountpools', { namespace, key }))) await unit.remove('accounts', { namespace, key });
  }
  await removeSource(unit, { namespace, id });
  await unit.remove('pools', { sequence });
}

type Place = Pick<PoolRow, 'namespace' | 'id'>;

/**
 * The subject of a pool's source. The member that defines a pool chooses its id, so pools of two namespaces may have
 * one, at two contracts.
 */
export function poolSubject({ namespace, id }: Place): string {
  return `${namespace}/${id}`;
}

/** Removes a pool's source, also that of an earlier version, which was named by the id alone. */
export async function removeSource(unit: Unit, pool: Place): Promise<void> {
  const { namespace, id } = pool;
  await unit.remove('sources', { namespace, kind: 'pool', subject: [poolSubject(pool), id] });
}

/** Deletes a pool that does not come again: open operations of it, after a rebuild, do not wait for that. */
export async function abandonPool(unit: Unit, pool: PoolRow): Promise<void> {
  await removePool(unit, pool);
  const { namespace, id } = pool;
  const open = { namespace, type: ['token_transfer', 'token_approval'], status: ['Initialized', 'Pending'] } as const;
  const operations = await unit.rows('operations', open, { limit: maxOperations });
  const waiting = operations.filter(({ input }) => input['pool'] === id && afterField in input);
  if (waiting.length === 0) return;
  await unit.updateEach(
    'operations',
    'sequence',
    waiting.map(({ sequence, input }) => ({
      sequence,
      input: Object.fromEntries(Object.entries(input).filter(([name]) => name !== afterField)),
    })),
  );
}

/** Ends the check of a definition that is not that of the pool: the pool is as before. */
export async function unclaimPool(unit: Unit, { sequence, state }: PoolRow): Promise<void> {
  const now = state === 'refused' ? 'known' : state;
  await unit.update('pools', { sequence }, { claim: null, verified: false, refusal: null, state: now });
}

/** Returns the operations of this node that create a pool, or check and follow it. */
export async function operationsOfPool(
  unit: Unit,
  { namespace, id, txid }: PoolRow,
  type: 'token_create_pool' | 'token_activate_pool',
): Promise<readonly OperationRow[]> {
  const operations = await unit.rows('operations', { namespace, tx: txid ?? '', type }, { limit: maxAttempts });
  return operations.filter(({ input }) => input['pool'] === id);
}

/** Whether a pool was created here, for all parties or only for this node. */
export async function isCreatedHere(
  unit: Unit,
  pool: PoolRow,
  { publish }: { readonly publish: boolean },
): Promise<boolean> {
  const creations = await operationsOfPool(unit, pool, 'token_create_pool');
  return creations.some(({ input }) => input['publish'] === publish);
}

/** The `on` of a wait for a pool. */
export function poolWait({ namespace, id }: Place): string {
  return `pool:${namespace}/${id}`;
}

/** Marks the contexts as due that wait for a pool. Returns the bells to ring. */
export async function releasePool(unit: Unit, pool: Place): Promise<readonly Bell[]> {
  await markDue(unit, await findWaiting(unit, [poolWait(pool)]));
  return ['due'];
}

const maxAccounts = 1_000_000;
const maxOperations = 1_000_000;
/** More than anyone retries. */
const maxAttempts = 1_000;
