import { Interface } from 'ethers';
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
import type { Blockchain, ContractLog } from '../../../../../src/ports/blockchain.js';
import type { Database } from '../../../../../src/ports/database.js';
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

interface Chain {
  readonly logs?: readonly ContractLog[];
  /** Called in each unit of a join. */
  readonly onUnit?: () => void;
}

/** Creates a node with pools that are not activated; five blocks of the chain are read. */
async function aNode(pools: readonly NewRow<'pools'>[], { logs = [], onUnit }: Chain = {}) {
  const database = createMemoryDatabase();
  const cursor = { namespace: 'svc_system', source: 'network', genesisHash: 'g', contract: '0xc', blockHash: 'b' };
  await database.transaction(async (unit) => {
    await unit.insert('cursors', [{ ...cursor, block: 5 }]);
    await unit.insert('pools', pools);
  });
  const [clock, random, bus] = [createManualClock(), createSeededRandom(1), createBus()];
  const connectors = new Map([[connector, createErc20Erc721({ address: `0x${'f'.repeat(40)}` })]]);
  const chain = createMemoryLedger({ clock }).connect({ keys: [alice.key] });
  const blockchain: Blockchain = { ...chain, readLogs: () => Promise.resolve(logs) };
  const sources = createSources(database);
  const watched: Database = {
    ...database,
    transaction(unit, options) {
      onUnit?.();
      return database.transaction(unit, options);
    },
  };
  const join = createJoin({ database: watched, blockchain, sources, bus, metrics: createSilentMetrics() });
  const tokens = createTokenApplier({ connectors, clock, random });
  const run = createActivatePool({ database, blockchain, connectors, tokens, join, bus, clock, random });
  const activate = ({ namespace, id: pool }: NewRow<'pools'>) => {
    const row = newActivation({ id: random.uuid(), tx: uuid(9), created, namespace, pool, connector });
    return run({ ...row, sequence: 1 }, new AbortController().signal);
  };
  return { database, activate, selection: () => sources.selection() };
}

/** Activates pools one after the other. */
async function follow(...pools: readonly NewRow<'pools'>[]) {
  const node = await aNode(pools);
  for (const pool of pools) expect(await node.activate(pool)).toMatchObject({ status: 'done' });
  return node;
}

/** Returns the logs of one transaction that gives a coin to each of many accounts. */
function airdropLogs(address: string, accounts: number): ContractLog[] {
  const coin = new Interface(['event Transfer(address indexed from, address indexed to, uint256 value)']);
  return Array.from({ length: accounts }, (_, index): ContractLog => {
    const to = `0x${(index + 1).toString(16).padStart(40, '0')}`;
    const position = { block: 3, transactionIndex: 0, logIndex: index };
    const time = '2026-01-15T10:00:00.000Z';
    const base = { type: 'contract_log', address, position, transactionHash: '1'.repeat(64), time } as const;
    return { ...base, ...coin.encodeEventLog('Transfer', [alice.key, to, 1n]) };
  });
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

it('records a transaction with very many transfers in several units, again after a crash', async () => {
  const address = `0x${'a'.repeat(40)}`;
  const pool = aCoin('default', address);
  let units = 0;
  const onUnit = (): void => {
    units += 1;
    if (units === 3) throw new Error('killed');
  };
  const { database, activate } = await aNode([pool], { logs: airdropLogs(address, 250), onUnit });
  await expect(activate(pool)).rejects.toThrow('killed');
  expect(await rowsOf(database, 'transfers')).toHaveLength(200);
  expect(await activate(pool)).toMatchObject({ status: 'done' });
  const transfers = await rowsOf(database, 'transfers');
  expect(transfers.map(({ protocolId }) => Number(protocolId.split('/')[2]))).toEqual([...transfers.keys()]);
  expect(transfers).toHaveLength(250);
  const balances = await rowsOf(database, 'balances');
  expect(balances.map(({ balance }) => balance).sort()).toEqual(['-250', ...transfers.map(() => '1')]);
  expect(await rowsOf(database, 'pools')).toMatchObject([{ state: 'followed' }]);
});
