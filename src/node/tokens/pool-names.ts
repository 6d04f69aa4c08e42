import type { Database } from '../../ports/database.js';
import { poolNameOf } from '../../wire/lists/field.js';
import { among, type Condition, type FieldCondition, oldestFirst } from '../../wire/lists/query.js';

/** More than the number of pools in a namespace. */
const maxPools = 10_000;

/** Replaces the names of pools in a list's conditions by their ids (docs/api.md §8.1). */
export function namedPools(
  database: Pick<Database, 'lists'>,
  namespace: string,
  where: readonly Condition[],
): Promise<readonly Condition[]> {
  return Promise.all(where.map((condition) => withIds(database, namespace, condition)));
}

async function withIds(database: Pick<Database, 'lists'>, namespace: string, condition: Condition): Promise<Condition> {
  switch (condition.is) {
    case 'any':
    case 'all':
      return { is: condition.is, of: await namedPools(database, namespace, condition.of) };
    case 'not':
      return { is: 'not', of: await withIds(database, namespace, condition.of) };
    default:
      return condition.field === poolNameOf('pool') ? idsOf(database, namespace, condition) : condition;
  }
}

async function idsOf(
  database: Pick<Database, 'lists'>,
  namespace: string,
  condition: FieldCondition,
): Promise<Condition> {
  const where = [{ ...condition, field: 'name' }];
  const pools = await database.lists.find('pools', { namespace, where, sort: oldestFirst, limit: maxPools });
  return among(
    'pool',
    pools.map(({ id }) => id),
  );
}
