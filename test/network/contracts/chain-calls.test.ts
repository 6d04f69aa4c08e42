import { Wallet } from 'ethers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEthereumBlockchain } from '../../../src/adapters/blockchain/ethereum.js';
import { createMemoryDatabase } from '../../../src/adapters/database/memory/memory.js';
import { createSilentMetrics } from '../../../src/adapters/metrics/silent.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { createSystemClock } from '../../../src/adapters/clock/system.js';
import { networkSource } from '../../../src/pipeline/state/chain/cursor.js';
import { createChainCalls } from '../../../src/pipeline/dispatch/chain/chain-call.js';
import { callLane, newOperation } from '../../../src/pipeline/operations/operation.js';
import type { Blockchain, ChainCall } from '../../../src/ports/blockchain.js';
import type { Database } from '../../../src/ports/database.js';
import { type ChainOfTest, memberKey, openChain } from '../../compliance/blockchain/devchain.js';
import { aPin, follow, hashOf } from '../../compliance/blockchain/follower.js';
import { uuid } from '../../support/fixtures.js';
import { createLife } from '../../support/pipeline-life.js';
import { rowsOf } from '../../support/pipelines-check.js';

const count = 40;
const greedyOne = 5;
let chain: ChainOfTest;
let database: Database;

beforeEach(async () => {
  chain = await openChain();
  database = createMemoryDatabase();
});
afterEach(() => chain.stop());

function connect(): Blockchain {
  return createEthereumBlockchain({
    url: chain.url().replace('http', 'ws'),
    contract: chain.contract,
    firstBlock: chain.firstBlock,
    confirmations: 0,
    keys: [memberKey],
    log: createSilentLog(),
    clock: createSystemClock(),
  });
}

/** Runs one life: every open operation is tried at once, until a failpoint kills it or all have their answers. */
async function live(death?: { readonly failpoint: string; readonly hit: number }): Promise<void> {
  const life = createLife();
  if (death !== undefined) life.dieAt(death.failpoint, death.hit);
  const blockchain = life.blockchain(connect());
  const parts = { database: life.database(database), failpoint: life.failpoint, metrics: createSilentMetrics() };
  const { callChain } = createChainCalls({ ...parts, blockchain });
  const open = (await rowsOf(database, 'operations')).filter(({ status }) => status === 'Initialized');
  const attempts = open.map(async (operation) => {
    const outcome = await callChain(operation, { call: async ({ input }) => callOf(Number(input['number'])), write });
    const status = outcome.status === 'failed' ? 'Failed' : 'Succeeded';
    expect(['done', 'failed']).toContain(outcome.status);
    await parts.database.transaction((unit) =>
      unit.update('operations', { namespace: 'default', id: operation.id }, { status }),
    );
  });
  const died = (async () => {
    while (!life.isDead()) await createSystemClock().sleep(5);
  })();
  await Promise.race([Promise.all(attempts).finally(life.kill), died]).catch((error: unknown) => {
    if (!life.isDead() || death === undefined) throw error;
  });
  await Promise.allSettled(attempts.map((attempt) => Promise.race([attempt, died])));
}

const write = async () => [];

function callOf(number: number): ChainCall {
  if (number !== greedyOne) return aPin({ batchHash: hashOf(number) });
  // More gas than a block has, for any account, since the contract of the network accepts no calls of users.
  return { type: 'contract', to: `0x${'11'.repeat(20)}`, data: '0x01', gas: 20_000_000, value: '0' };
}

test.each([
  [],
  [{ failpoint: 'tx.after-raw-stored', hit: 1 }],
  [{ failpoint: 'tx.after-raw-stored', hit: 20 }],
  [{ failpoint: 'tx.after-receipt', hit: 3 }],
  [{ failpoint: 'tx.after-filler-stored', hit: 1 }],
  [
    { failpoint: 'tx.after-raw-stored', hit: 7 },
    { failpoint: 'tx.after-receipt', hit: 10 },
    { failpoint: 'tx.after-receipt', hit: 10 },
  ],
])('deaths at %j leave no gap and no double on the dev chain', async (...deaths) => {
  const signer = new Wallet(memberKey).address.toLowerCase();
  const observer = connect();
  const { genesisHash } = await observer.status();
  const cursor = { genesisHash, contract: chain.contract, block: 0, blockHash: genesisHash };
  await database.transaction(async (unit) => {
    await unit.insert('cursors', [{ namespace: 'ff_system', source: networkSource, ...cursor }]);
    const rows = Array.from({ length: count }, (_, index) =>
      newOperation({
        id: uuid(index + 1),
        type: 'blockchain_invoke',
        lane: callLane(signer),
        created: '2026-01-15T10:00:00.000Z',
        subject: { namespace: 'default', tx: uuid(index + 1), batch: '', batchHash: '', signer },
        input: { number: index + 1 },
      }),
    );
    await unit.insert('operations', rows);
  });
  for (const death of deaths) await live(death);
  await live();
  const follower = follow(observer);
  const pins = await follower.untilPins(count - 1);
  const numbers = pins.map(({ batchHash }) => Number(`0x${batchHash}`)).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1).filter((each) => each !== greedyOne));
  expect(await observer.count(signer)).toBe(count);
  const failed = (await rowsOf(database, 'operations')).filter(({ status }) => status === 'Failed');
  expect(failed.map(({ input }) => input['number'])).toEqual([greedyOne]);
  await follower.stop();
  await observer.close();
});
