import type { Unit } from '../../../../ports/database.js';
import { type Where, below, present } from '../../../../ports/tables/where.js';

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
  const has = async (isSame: (other: PoolNames) => boolean, where: Where<'pools'>): Promise<boolean> =>
    added.some(isSame) || unit.has('pools', { ...where, pin: present });
  return {
    hasId: ({ namespace, id }) => has((other) => other.namespace === namespace && other.id === id, { namespace, id }),
    hasName: ({ namespace, networkName }) =>
      has((other) => other.namespace === namespace && other.networkName === networkName, { namespace, networkName }),
    hasPlace: ({ namespace, connector, chainKey }) =>
      has((other) => other.namespace === namespace && other.connector === connector && other.chainKey === chainKey, {
        namespace,
        connector,
        chainKey,
      }),
    async isOneBefore(namespace, ids, place) {
      if (ids.size === 0) return false;
      if (added.some((pool) => pool.namespace === namespace && ids.has(pool.id) && pool.place < place)) return true;
      return unit.has('pools', { namespace, id: [...ids], pin: below(place) });
    },
    add: (pool, place) => void added.push({ ...pool, place }),
  };
}
