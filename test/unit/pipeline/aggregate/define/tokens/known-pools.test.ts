import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../../src/adapters/database/memory/memory.js';
import {
  createKnownPools,
  type KnownPools,
} from '../../../../../../src/pipeline/aggregate/define/tokens/known-pools.js';
import { uuid } from '../../../../../support/fixtures.js';

const pool = {
  namespace: 'default',
  id: uuid(1),
  networkName: 'coins',
  connector: 'erc1155',
  chainKey: '0xc1/0x1',
};

/** Runs `use` with known pools to which this step has added the pool, at place 7. */
function inOneStep<R>(use: (pools: KnownPools) => Promise<R>): Promise<R> {
  return createMemoryDatabase().transaction((unit) => {
    const pools = createKnownPools(unit);
    pools.add(pool, 7);
    return use(pools);
  });
}

it('a pool that is defined in this step counts for later places, before it is written', async () => {
  const ids = new Set([uuid(2), pool.id]);
  expect(await inOneStep((pools) => pools.isOneBefore('default', ids, 8))).toBe(true);
});

it.each([
  ['at its own place', 'default', pool.id, 7],
  ['in another namespace', 'other', pool.id, 8],
  ['under another id', 'default', uuid(2), 8],
])('it does not count %s', async (_, namespace, id, place) => {
  expect(await inOneStep((pools) => pools.isOneBefore(namespace, new Set([id]), place))).toBe(false);
});
