import { isServiceError } from '../../src/wire/errors/error.js';
import type { Simulator } from './life.js';
import type { Party } from './party.js';

export interface Pool {
  readonly number: number;
  readonly name: string;
  readonly creator: Party;
  readonly type: 'fungible' | 'nonfungible';
  /** When its creator shares it: at once, later, or never. */
  readonly shared: 'now' | 'later' | 'never';
}

/** An accepted pool. */
export interface MadePool {
  readonly party: string;
  readonly id: string;
  readonly isLocal: boolean;
  readonly name: string;
}

export interface PoolMakerParts {
  readonly simulator: Simulator;
  readonly parties: readonly Party[];
  readonly namespace: string;
  /** Whether requests to delete and to share a pool meet. */
  readonly hasOverlaps: boolean;
  readonly spanMs: number;
  /** Makes a request after a time, and repeats it until it is answered. */
  readonly plan: (party: Party, what: string, delayMs: number, act: () => Promise<void>) => void;
  readonly anyOf: <T>(list: readonly T[]) => T;
}

/** Users who create pools for all parties or for themselves, share them, and delete them. */
export interface PoolMakers {
  make(pool: Pool): void;
  /** Draws a pool with a name that others may have, mostly one that is not shared at once. */
  drawLocal(number: number): Pool;
  /** Pools whose answers have arrived. */
  pools(): readonly MadePool[];
  /** Whether a party has asked to delete its pool of this name. */
  hasAsked(party: string, name: string): boolean;
  /** The ids of pools that a party was told are deleted. */
  deleted(party: string): ReadonlySet<string>;
}

export function createPoolMakers(parts: PoolMakerParts): PoolMakers {
  const { simulator, parties, namespace, hasOverlaps, spanMs, plan, anyOf } = parts;
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const made: MadePool[] = [];
  const asked = new Set<string>();
  const deleted = new Map<string, Set<string>>(parties.map(({ name }) => [name, new Set<string>()]));

  function share({ number, name, creator }: Pool, networkName?: string): void {
    const request = {
      idempotencyKey: networkName === undefined ? `share-${number}` : `share-${number}-${networkName}`,
      ...(networkName !== undefined && { networkName }),
    };
    plan(creator, 'shares a pool', random.fraction() * spanMs, async () => {
      await creator.serving()?.pipeline.publishPool(namespace, name, request);
      sometimes('pool shared later');
    });
  }

  /** Asks once. The pool may be another one of this name. */
  function remove({ name, creator }: Pool): void {
    scheduler.after(1_000 + random.fraction() * spanMs, creator.name, 'deletes a pool', () => {
      const serving = creator.serving();
      if (serving === undefined) return;
      asked.add(`${creator.name}/${name}`);
      const answer = hasOverlaps
        ? removeFound({ name, creator })
        : serving.pipeline.deletePool(namespace, name).then(() => sometimes('pool deleted'));
      answer.catch(failUnlessRefused);
    });
  }

  /** Deletes the pool that has the name now by its id, which must not come back. */
  async function removeFound({ name, creator }: Pick<Pool, 'name' | 'creator'>): Promise<void> {
    const pool = await creator.disk.first('pools', { namespace, name });
    if (pool === undefined) return;
    try {
      await creator.serving()?.pipeline.deletePool(namespace, pool.id);
    } catch (error) {
      if (isServiceError(error, 'published_kept')) sometimes('pool kept, as it is shared or may be');
      throw error;
    }
    deleted.get(creator.name)?.add(pool.id);
    sometimes('pool deleted');
  }

  /** Makes requests to share and to delete a pool at any moment, also under another name and several times. */
  function meddle(pool: Pool): void {
    if (random.fraction() < 0.5) remove(pool);
    if (random.fraction() < 0.5) remove(pool);
    if (random.fraction() < 0.4) share(pool, `other-${random.integer(2)}`);
    if (random.fraction() < 0.4) share({ ...pool, number: pool.number + 100 });
  }

  function failUnlessRefused(error: unknown): void {
    if (isServiceError(error) || (error instanceof Error && error.message.includes('simulated fault'))) return;
    scheduler.fail(new Error('the request failed', { cause: error }));
  }

  return {
    make(pool) {
      const { number, name, creator, type, shared } = pool;
      const isLocal = shared !== 'now';
      const request = { name, type, idempotencyKey: `pool-${number}` };
      plan(creator, 'makes a pool', random.fraction() * 1_000, async () => {
        const accepted = await creator.serving()?.pipeline.acceptPool(namespace, request, !isLocal);
        if (accepted === undefined) return;
        if (isLocal) sometimes('pool made for its creator alone');
        made.push({ party: creator.name, id: accepted.record.id, isLocal, name });
      });
      if (shared === 'later') share(pool);
      else if (isLocal && random.fraction() < 0.5) remove(pool);
      if (hasOverlaps) meddle(pool);
    },
    drawLocal(number) {
      const shared = random.fraction() < 0.2 ? 'now' : random.fraction() < 0.7 ? 'later' : 'never';
      return { number, name: `own-${random.integer(2)}`, creator: anyOf(parties), type: 'fungible', shared };
    },
    pools: () => made,
    hasAsked: (party, name) => asked.has(`${party}/${name}`),
    deleted: (party) => deleted.get(party) ?? new Set(),
  };
}
