import type { Unit } from '../../../ports/database.js';
import { equal } from '../../../wire/query.js';

/** What no two confirmed pools of a namespace share. */
export interface PoolNames {
  readonly namespace: string;
  readonly id: string;
  readonly networkName: string;
  readonly connector: string;
  readonly chainKey: string;
}

/** The pools that definitions have brought, those of this step among them, before anything of it is written. */
export interface KnownPools {
  hasId(pool: PoolNames): Promise<boolean>;
  hasName(pool: PoolNames): Promise<boolean>;
  /** Whether another is the same on chain. */
  hasPlace(pool: PoolNames): Promise<boolean>;
  add(pool: PoolNames): void;
}

/** The pools as one unit sees them. */
export function createKnownPools(unit: Unit): KnownPools {
  const added: PoolNames[] = [];
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
    add: (pool) => void added.push(pool),
  };
}
