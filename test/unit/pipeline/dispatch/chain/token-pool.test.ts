import { describe, expect, it } from 'vitest';
import { createMemoryLedger } from '../../../../../src/adapters/blockchain/memory/memory.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createErc1155 } from '../../../../../src/adapters/token-connector/erc1155.js';
import { sealMessage } from '../../../../../src/domain/messages/message.js';
import { newMessage } from '../../../../../src/pipeline/state/messages/message-row.js';
import { newData } from '../../../../../src/pipeline/state/data/data-row.js';
import { poolDefinition } from '../../../../../src/pipeline/state/tokens/token-pool.js';
import type { CallChain } from '../../../../../src/pipeline/dispatch/chain/chain-call.js';
import { createCreatePool } from '../../../../../src/pipeline/dispatch/chain/token-pool.js';
import { newOperation } from '../../../../../src/pipeline/operations/operation.js';
import type { ContractLog } from '../../../../../src/ports/blockchain.js';
import { alice, aMessage, anItem, uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { contractAddress } from '../../../../support/token-logs.js';
import { aPool, locatorOf } from '../../../../support/token-rows.js';

const [sent, again] = [uuid(1), uuid(2)];
const [batch, batchHash, context] = [uuid(3), 'b'.repeat(64), 'c'.repeat(64)];
const pool = aPool(1, 'fungible', { key: alice.key, active: false, message: sent, name: 'mine' });
const transactionHash = '9'.repeat(64);

/** The definition of the pool at the place of a block, which was sent before a reorganisation. */
function sentFor(block: number) {
  const value = poolDefinition({ ...pool, sequence: 1, locator: locatorOf(1, 'fungible', block) }, 'shared');
  const item = newData('svc_system', anItem({ id: uuid(4), value }));
  const { header } = aMessage({ id: sent, type: 'definition', namespace: 'svc_system', topics: ['svc_ns_default'] });
  const { datahash: _, ...unsealed } = { ...header, tag: 'svc_define_pool' };
  const place = { items: new Map([[item.id, item]]), state: 'ready', pins: [context] } as const;
  return { item, message: { ...newMessage(sealMessage(unsealed, [item]), place), batch, batchHash } };
}

/**
 * Creates the pool again, in block 9. Its earlier definition names the place of the block `definedFor` and is pinned in
 * the block `pinnedIn`, if at all. Returns the pool afterwards, the records that were sent, and the new operations.
 */
async function createAgain(parts: { publish: boolean; definedFor: number; pinnedIn?: number }) {
  const { publish, definedFor, pinnedIn } = parts;
  const [database, clock, random] = [createMemoryDatabase(), createManualClock(), createSeededRandom(1)];
  const { item, message } = sentFor(definedFor);
  await database.transaction(async (unit) => {
    await unit.insert('pools', [{ ...pool, state: 'creating', locator: null, chainKey: null }]);
    await unit.insert('data', [item]);
    await unit.insert('messages', [message]);
    if (pinnedIn === undefined) return;
    const ofBatch = { namespace: 'svc_system', batch, batchHash, signer: alice.key, context, masked: false };
    const place = { block: pinnedIn, index: 0, identity: alice.did, spent: false, created: clock.now() };
    await unit.insert('pins', [{ ...ofBatch, ...place }]);
  });
  const values: string[] = [];
  const connector = createErc1155({ address: contractAddress, firstBlock: 0 });
  const readCreation = () => ({ locator: locatorOf(1, 'fungible', 9), creator: alice.key });
  const log = { transactionHash } as ContractLog;
  const chain = createMemoryLedger({ clock }).connect({ keys: [alice.key] });
  const create = createCreatePool({
    database,
    blockchain: { ...chain, readLogs: () => Promise.resolve([log]) },
    connectors: new Map([[connector.name, { ...connector, readCreation }]]),
    own: alice,
    clock,
    random,
    callChain: (_, work) => minedBy(work),
    untilRecorded: () => Promise.resolve('absent'),
    async prepareDefinition({ value }) {
      values.push(value);
      return {
        message: aMessage({ id: again }) as never,
        store: () => Promise.resolve(['messages']),
        announce: () => undefined,
      };
    },
  });
  const asked = { pool: pool.id, type: 'fungible', name: 'mine', networkName: 'mine', key: alice.key, data: '{}' };
  const operation = newOperation({
    id: uuid(5),
    type: 'token_create_pool',
    lane: 'chain',
    created: clock.now(),
    connector: connector.name,
    subject: { namespace: 'default', batch: '', batchHash: '', signer: alice.key, tx: pool.txid ?? '' },
    input: { ...asked, publish },
  });
  const created = await create({ ...operation, sequence: 1 }, new AbortController().signal);
  if (created.status !== 'done') throw new Error(created.status);
  await database.transaction((unit) => created.output.write(unit));
  const [row] = await rowsOf(database, 'pools');
  const activations = (await rowsOf(database, 'operations')).map(({ type }) => type);
  return { row, values, activations };
}

function minedBy(work: Parameters<CallChain>[1]): ReturnType<CallChain> {
  if (!('mined' in work)) throw new Error('The creation of a pool waits for its log.');
  const receipt = { status: 'success', transactionHash, block: 9, transactionIndex: 0 } as const;
  return work.mined(receipt) as ReturnType<CallChain>;
}

const local = ['token_activate_pool'];

describe.each([
  { publish: true, activations: [] },
  { publish: false, activations: local },
])('a pool that is created again, with publish=$publish', ({ publish, activations }) => {
  it('keeps its definition at the same place, if that is not pinned up to there', async () => {
    for (const pinned of [{}, { pinnedIn: 10 }]) {
      const { row, values, ...rest } = await createAgain({ publish, definedFor: 9, ...pinned });
      expect(row).toMatchObject({ state: 'known', message: sent, locator: locatorOf(1, 'fungible', 9) });
      expect([values, rest]).toEqual([[], { activations }]);
    }
  });

  it.each([
    ['names another place', { definedFor: 8 }],
    ['is pinned in the block of the creation', { definedFor: 9, pinnedIn: 9 }],
    ['is pinned before the creation', { definedFor: 9, pinnedIn: 7 }],
  ])('is defined again, with its network name, if its definition %s', async (_, earlier) => {
    const { row, values, ...rest } = await createAgain({ publish, ...earlier });
    expect(row).toMatchObject({ state: 'known', message: again });
    expect(values).toEqual([expect.stringContaining('"name":"shared"')]);
    expect(values[0]).toContain('block=9');
    expect(rest).toEqual({ activations });
  });
});
