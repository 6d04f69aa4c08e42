import { expect, it } from 'vitest';
import { createMemoryLedger } from '../../../../../src/adapters/blockchain/memory/memory.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSilentMetrics } from '../../../../../src/adapters/metrics/silent.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createErc20Erc721 } from '../../../../../src/adapters/token-connector/erc20-erc721.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { removePool } from '../../../../../src/pipeline/state/tokens/pool.js';
import { newActivation } from '../../../../../src/pipeline/operations/activation.js';
import { createJoin } from '../../../../../src/pipeline/receive/chain/join.js';
import { createSources } from '../../../../../src/pipeline/receive/chain/sources.js';
import { createActivatePool } from '../../../../../src/pipeline/receive/tokens/activate-pool.js';
import { createTokenApplier } from '../../../../../src/pipeline/receive/tokens/token.js';
import type { Blockchain } from '../../../../../src/ports/blockchain.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { alice, uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { aPool } from '../../../../support/token-rows.js';

const created = '2026-01-15T10:00:00.000Z';
const connector = 'erc20_erc721';

/** Returns a pool of a separate contract whose history is not read yet. */
function aCoin(namespace: string, address: string): NewRow<'pools'> {
  const locator = `address=${address}&type=fungible&schema=ERC20NoData&block=1`;
  const place = { namespace, connector, address, locator, chainKey: `${address}/fungible` };
  return aPool(1, 'fungible', { ...place, state: 'known', active: false });
}

/** Activates pools one after the other; five blocks of the chain are read. */
async function follow(...pools: readonly NewRow<'pools'>[]) {
  const database = createMemoryDatabase();
  const cursor = { namespace: 'svc_system', source: 'network', genesisHash: 'g', contract: '0xc', blockHash: 'b' };
  await database.transaction(async (unit) => {
    await unit.insert('cursors', [{ ...cursor, block: 5 }]);
    await unit.insert('pools', pools);
  });
  const [clock, random, bus] = [createManualClock(), createSeededRandom(1), createBus()];
  const connectors = new Map([[connector, createErc20Erc721({ address: `0x${'f'.repeat(40)}` })]]);
  const chain = createMemoryLedger({ clock }).connect({ keys: [alice.key] });
  const blockchain: Blockchain = { ...chain, readLogs: () => Promise.resolve([]) };
  const sources = createSources(database);
  const join = createJoin({ database, blockchain, sources, bus, metrics: createSilentMetrics() });
  const tokens = createTokenApplier({ connectors, clock, random });
  const run = createActivatePool({ database, blockchain, connectors, tokens, join, bus, clock, random });
  for (const { namespace, id: pool } of pools) {
    const row = newActivation({ id: random.uuid(), tx: uuid(9), created, namespace, pool, connector });
    expect(await run({ ...row, sequence: 1 }, new AbortController().signal)).toMatchObject({ status: 'done' });
  }
  return { database, selection: () => sources.selection() };
}

it('follows pools of two namespaces with the same id, and removes only one of them', async () => {
  const [first, second] = [aCoin('default', `0x${'a'.repeat(40)}`), aCoin('blue', `0x${'b'.repeat(40)}`)];
  expect(first.id).toBe(second.id);
  const { database, selection } = await follow(first, second);
  expect((await rowsOf(database, 'pools')).map(({ state, active }) => [state, active])).toEqual([
    ['followed', true],
    ['followed', true],
  ]);
  expect(selection().sources.map(({ address }) => address)).toEqual([first.address, second.address]);
  const [row] = await rowsOf(database, 'pools');
  if (row !== undefined) await database.transaction((unit) => removePool(unit, row));
  expect((await rowsOf(database, 'sources')).map(({ address }) => address)).toEqual([second.address]);
});

it('removes a pool of an earlier version with its source', async () => {
  const { database } = await follow();
  const pool = aPool(1, 'fungible');
  const { namespace, id: subject, address } = pool;
  await database.transaction(async (unit) => {
    await unit.insert('pools', [pool]);
    await unit.insert('sources', [{ namespace, kind: 'pool', subject, address, topics: [], withInput: false }]);
    const row = await unit.first('pools', { namespace, id: subject });
    if (row !== undefined) await removePool(unit, row);
  });
  expect(await rowsOf(database, 'sources')).toEqual([]);
});
