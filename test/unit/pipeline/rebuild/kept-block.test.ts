import { expect, test } from 'vitest';
import { createMemoryLedger, type MemoryLedger } from '../../../../src/adapters/blockchain/memory/memory.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createSystemRandom } from '../../../../src/adapters/random/system.js';
import { createMemoryDatabase, createMemoryState } from '../../../../src/adapters/database/memory/memory.js';
import { protocolIdOf } from '../../../../src/domain/protocol-id.js';
import { networkSource } from '../../../../src/pipeline/state/chain/cursor.js';
import { findKeptBlock } from '../../../../src/pipeline/rebuild/kept-block.js';
import { rebuildHistory } from '../../../../src/pipeline/rebuild/rebuild.js';
import type { Blockchain } from '../../../../src/ports/blockchain.js';
import type { Database } from '../../../../src/ports/database.js';
import { chainHash } from '../../../../src/wire/chain/chain-hash.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { uuid } from '../../../support/fixtures.js';

const clock = createManualClock();

/** Mines blocks with a new member each, at later times than all before. */
async function mine(ledger: MemoryLedger, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    await clock.advance(1_000);
    const name = `member-${clock.now().replaceAll(/\D/g, '')}`;
    const key = `0x${clock.now().replaceAll(/\D/g, '').padStart(40, '0')}`;
    const node = { node: `${name}-node`, endpoint: `https://${name}`, publicKeyHash: key.slice(2).padStart(64, '0') };
    ledger.addMember({ organization: name, key, ...node });
  }
}

/** Creates the rows of a node that has read the ledger, with pins in these blocks. */
async function databaseThatRead(ledger: MemoryLedger, blocksWithPins: readonly number[]): Promise<Database> {
  const database = createMemoryDatabase(createMemoryState());
  const chain = ledger.connect({ keys: [] });
  const { genesisHash, head } = await chain.status();
  const events = await Promise.all(
    blocksWithPins.map(async (block, index) => ({
      namespace: 'svc_system',
      id: uuid(index),
      source: 'ethereum',
      name: 'BatchPin',
      listener: null,
      origin: 'network',
      protocolId: protocolIdOf({ block, transactionIndex: 0, logIndex: 0 }),
      output: textOf({}),
      info: textOf({ blockHash: chainHash((await chain.blockHash(block)) ?? '') }),
      timestamp: clock.now(),
      txtype: null,
      txid: null,
      blockchainId: null,
    })),
  );
  const blockHash = (await chain.blockHash(head)) ?? '';
  const cursor = { namespace: 'svc_system', source: networkSource, genesisHash, contract: chain.network };
  await database.transaction(async (unit) => {
    await unit.insert('cursors', [{ ...cursor, block: head, blockHash }]);
    await unit.insert('blockchainevents', events);
  });
  return database;
}

test('a node that has read nothing keeps no block', async () => {
  const ledger = createMemoryLedger({ clock });
  const database = createMemoryDatabase(createMemoryState());
  expect(await findKeptBlock(database, ledger.connect({ keys: [] }))).toMatchObject({
    block: -1,
    readBlock: undefined,
  });
});

test('a node whose last block is on the chain keeps all blocks', async () => {
  const ledger = createMemoryLedger({ clock });
  await mine(ledger, 5);
  const database = await databaseThatRead(ledger, [2]);
  await mine(ledger, 3);
  expect(await findKeptBlock(database, ledger.connect({ keys: [] }))).toMatchObject({ block: 5, readBlock: 5 });
});

test.each([
  ['up to the newest remaining pin', 3, 4],
  ['up to the only remaining pin', 9, 1],
  ['of none if no pin remains', 10, -1],
])('a node keeps the blocks %s after others were replaced', async (_, replaced, block) => {
  const ledger = createMemoryLedger({ clock });
  await mine(ledger, 10);
  const database = await databaseThatRead(ledger, [1, 3, 4, 9, 10]);
  ledger.rewind(replaced);
  await mine(ledger, 12);
  expect(await findKeptBlock(database, ledger.connect({ keys: [] }))).toMatchObject({ block, readBlock: 10 });
});

test('a node finds its kept block among more pins than a page has', async () => {
  const ledger = createMemoryLedger({ clock });
  await mine(ledger, 1_100);
  const blocks = Array.from({ length: 1_100 }, (_, index) => index + 1);
  for (const left of [1, 99, 601, 1_099]) {
    const copy = createMemoryLedger({ clock });
    await mine(copy, 1_100);
    const database = await databaseThatRead(copy, blocks);
    copy.rewind(1_100 - left);
    expect((await findKeptBlock(database, copy.connect({ keys: [] }))).block).toBe(left);
  }
});

test('a node refuses another chain', async () => {
  const ledger = createMemoryLedger({ clock });
  await mine(ledger, 2);
  const database = await databaseThatRead(ledger, [1]);
  const other = createMemoryLedger({ clock, name: 'another' }).connect({ keys: [] });
  await expect(findKeptBlock(database, other)).rejects.toMatchObject({ reason: 'other_chain' });
});

/** Returns a chain that replaces all blocks but three after the first call of `blockHash`. */
function replacedAfterAHash(ledger: MemoryLedger): Blockchain {
  const chain = ledger.connect({ keys: [] });
  let isReplaced = false;
  return {
    ...chain,
    async blockHash(block) {
      const hash = await chain.blockHash(block);
      if (!isReplaced) {
        isReplaced = true;
        ledger.rewind(ledger.head() - 3);
        await mine(ledger, 9);
      }
      return hash;
    },
  };
}

// The next start compares the position with the chain; a block that was added meanwhile must not count as read.
test.each([
  ['at the last block that the node has read, if all are kept', undefined, 5, false],
  ['before the replaced blocks, if it goes back further', 5, 2, true],
])('blocks that are replaced meanwhile leave the position %s', async (_, from, block, isOnChain) => {
  const ledger = createMemoryLedger({ clock });
  await mine(ledger, 5);
  const database = await databaseThatRead(ledger, [2, 4]);
  const old = await ledger.connect({ keys: [] }).blockHash(block);
  const [log, failpoint] = [createSilentLog(), { reach: () => Promise.resolve() }];
  const environment = { clock, random: createSystemRandom(), log, failpoint };
  const parts = { database, blockchain: replacedAfterAHash(ledger), ...environment, firstBlock: 0 };
  expect(await rebuildHistory(parts, { from })).toEqual({ keptBlock: block, readBlock: 5 });
  expect(await database.first('cursors', { source: networkSource })).toMatchObject({ block, blockHash: old });
  expect((await ledger.connect({ keys: [] }).blockHash(block)) === old).toBe(isOnChain);
});

test('a rebuild reports its progress as the rest of the sentence "alice has …"', async () => {
  const ledger = createMemoryLedger({ clock });
  await mine(ledger, 5);
  const database = await databaseThatRead(ledger, [2, 4]);
  const reported = new Set<string>();
  const [log, failpoint] = [createSilentLog(), { reach: () => Promise.resolve() }];
  const environment = {
    clock,
    random: createSystemRandom(),
    log,
    failpoint,
    tellProgress: (text: string) => reported.add(text),
  };
  await rebuildHistory(
    { database, blockchain: ledger.connect({ keys: [] }), ...environment, firstBlock: 0 },
    { from: 3 },
  );
  expect([...reported]).toEqual(['taken back more of what came after block 2']);
});
