import { describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createSilentMetrics } from '../../../../../src/adapters/metrics/silent.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createErc1155 } from '../../../../../src/adapters/token-connector/erc1155.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { readPositions, storeCursor } from '../../../../../src/pipeline/state/chain/cursor.js';
import { createAhead } from '../../../../../src/pipeline/receive/chain/ahead.js';
import { type SourceApplier, writeAll } from '../../../../../src/pipeline/receive/chain/applier.js';
import { createTokenApplier } from '../../../../../src/pipeline/receive/tokens/token.js';
import type { ContractLog, LogPage } from '../../../../../src/ports/blockchain.js';
import type { Database, Unit } from '../../../../../src/ports/database.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { approvalLogs, contractAddress } from '../../../../support/token-logs.js';
import { aPool } from '../../../../support/token-rows.js';

const ann = `0x${'a'.repeat(40)}`;
const operator = `0x${'b'.repeat(40)}`;
const place = { genesisHash: '9'.repeat(64), contract: '0xc' };

function aPage(block: number, approvals: number, blockHash = `hash of ${block}`): LogPage {
  const logs = Array.from({ length: approvals }, (_, index) => {
    const pair = approvalLogs({ block, operator: ann }, operator, index % 2 === 0);
    return pair.map((log, at): ContractLog => {
      return { ...log, position: { block, transactionIndex: 0, logIndex: 2 * index + at } };
    });
  });
  return { logs: logs.flat(), cursor: { ...place, block, blockHash }, revision: 0 };
}

async function aNode(pools: number, hashes: Readonly<Record<number, string>> = {}) {
  const database = createMemoryDatabase();
  await database.transaction(async (unit) => {
    await unit.insert(
      'pools',
      Array.from({ length: pools }, (_, index) => aPool(index + 1, 'fungible')),
    );
    await storeCursor(unit, undefined, { ...place, block: 4, blockHash: 'hash of 4' });
  });
  const connectors = new Map([['erc1155', createErc1155({ address: contractAddress, firstBlock: 0 })]]);
  const tokens = createTokenApplier({ connectors, clock: createManualClock(), random: createSeededRandom(1) });
  async function start(appliers: readonly SourceApplier[] = [tokens], over: Database = database) {
    const blockchain = { blockHash: async (block: number) => hashes[block] };
    const ahead = createAhead({
      database: over,
      blockchain,
      appliers,
      bus: createBus(),
      metrics: createSilentMetrics(),
    });
    const { read, begun } = await readPositions(database);
    ahead.begin(read, begun);
    return ahead;
  }
  return { database, tokens, start };
}

/** An applier whose writes fail from the third on, as if the node was killed. */
function killedAfterTwo(tokens: SourceApplier): SourceApplier {
  const fail = () => Promise.reject(new Error('killed'));
  return { writesFor: (logs) => tokens.writesFor(logs).map((write, index) => (index < 2 ? write : fail)) };
}

describe('a page with very many logs of contracts', () => {
  it('is written in bulk units of a limited size, in chain order, with the same rows as in one unit', async () => {
    const node = await aNode(3);
    const sizes: (number | 'not bulk')[] = [];
    const watched: Database = {
      ...node.database,
      transaction: (run, options) =>
        node.database.transaction((unit) => {
          const insert: Unit['insert'] = (table, rows) => {
            if (table === 'approvals') sizes.push(options?.isBulk === true ? rows.length : 'not bulk');
            return unit.insert(table, rows);
          };
          return run({ ...unit, insert });
        }, options),
    };
    const page = aPage(5, 250);
    expect(await (await node.start([node.tokens], watched)).write(page)).toEqual([]);
    expect(sizes).toEqual([300, 300, 150]);
    const other = await aNode(3);
    const logs = page.logs.filter((log) => log.type === 'contract_log');
    await other.database.transaction((unit) => writeAll(unit, other.tokens.writesFor(logs)));
    const told = async (database: Database) =>
      (await rowsOf(database, 'approvals')).map(({ pool, protocolId, active }) => ({ pool, protocolId, active }));
    expect(await told(node.database)).toEqual(await told(other.database));
  });

  it('is left to the unit of the page if it is of usual size', async () => {
    const { database, start } = await aNode(2);
    expect(await (await start()).write(aPage(5, 100))).toHaveLength(1);
    expect(await rowsOf(database, 'approvals')).toEqual([]);
  });

  it('is completed when it is read again after a crash', async () => {
    const { database, tokens, start } = await aNode(1, { 5: 'hash of 5' });
    await expect((await start([killedAfterTwo(tokens)])).write(aPage(5, 250))).rejects.toThrow('killed');
    expect(await rowsOf(database, 'approvals')).toHaveLength(200);
    // Blocks are cut into other pages after a restart.
    const again = await start();
    await again.write({ ...aPage(5, 250), cursor: { ...place, block: 7, blockHash: 'hash of 7' } });
    const approvals = await rowsOf(database, 'approvals');
    expect(approvals.map(({ protocolId }) => protocolId)).toEqual(
      [...new Set(approvals.map(({ protocolId }) => protocolId))].sort(),
    );
    expect(approvals).toHaveLength(250);
    expect(approvals.filter(({ active }) => active)).toHaveLength(1);
  });

  it('stops the node if the chain has replaced its block after a crash', async () => {
    const hashes: Record<number, string> = {};
    const { database, tokens, start } = await aNode(1, hashes);
    await expect((await start([killedAfterTwo(tokens)])).write(aPage(5, 250))).rejects.toThrow('killed');
    const again = await start();
    const replaced = aPage(5, 1, 'another hash');
    await expect(again.write(replaced)).rejects.toMatchObject({ reason: 'unreachable' });
    hashes[5] = 'another hash';
    await expect(again.write(replaced)).rejects.toMatchObject({ reason: 'other_chain', isReorganised: true });
    expect(await rowsOf(database, 'approvals')).toHaveLength(200);
  });

  it('asks the chain for nothing once it is stored', async () => {
    const { start } = await aNode(1);
    const ahead = await start();
    await ahead.write(aPage(5, 250));
    ahead.end(aPage(5, 250));
    expect(await ahead.write(aPage(6, 1))).toHaveLength(1);
  });

  it.each([
    ['is stored already', 4, 0],
    ['was read before a source was added', 5, -1],
  ])('is not written if it %s', async (_, block, revision) => {
    const { database, start } = await aNode(1);
    expect(await (await start()).write({ ...aPage(block, 250), revision })).toEqual([]);
    expect(await rowsOf(database, 'approvals')).toEqual([]);
  });
});
