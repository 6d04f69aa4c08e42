import type { Unit } from '../../../../ports/database.js';
import { among, equal } from '../../../../wire/lists/query.js';

/** Names that no two confirmed pools of a namespace share. */
export interface PoolNames {
  readonly namespace: string;
  readonly id: string;
  readonly networkName: string;
  readonly connector: string;
  readonly chainKey: string;
}

/** Confirmed pools, including those of this step that are not written yet. */
export interface KnownPools {
  hasId(pool: PoolNames): Promise<boolean>;
  hasName(pool: PoolNames): Promise<boolean>;
  hasPlace(pool: PoolNames): Promise<boolean>;
  /** Whether one of these ids belongs to a pool defined before a place in the order. */
  isOneBefore(namespace: string, ids: ReadonlySet<string>, place: number): Promise<boolean>;
  add(pool: PoolNames, place: number): void;
}

export function createKnownPools(unit: Unit): KnownPools {
  const added: (PoolNames & { readonly place: number })[] = [];
  const has = async (pool: PoolNames, fields: readonly (keyof PoolNames)[]): Promise<boolean> => {
    const isSame = (other: PoolNames) =>
      other.namespace === pool.namespace && fields.every((field) => other[field] === pool[field]);
    if (added.some(isSame)) return true;
    const where = [...fields.map((field) => equal(field, pool[field])), { field: 'pin', is: 'notNull' } as const];
    return (await unit.count('pools', { namespace: pool.namespace, where })) > 0;
  };
  return {
    hasId: (pool) => has(pool, ['id']),
    hasName: (pool) => has(pool, ['networkName']),
    hasPlace: (pool) => has(pool, ['connector', 'chainKey']),
    async isOneBefore(namespace, ids, place) {
      if (ids.size === 0) return false;
      if (added.some((pool) => pool.namespace === namespace && ids.has(pool.id) && pool.place < place)) return true;
      const earlier = { field: 'pin', is: 'below', value: place } as const;
      return (await unit.count('pools', { namespace, where: [among('id', [...ids]), earlier] })) > 0;
    },
    add: (pool, place) => void added.push({ ...pool, place }),
  };
}
