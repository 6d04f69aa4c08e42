import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createErc1155 } from '../../../../../src/adapters/token-connector/erc1155.js';
import { createErc20Erc721 } from '../../../../../src/adapters/token-connector/erc20-erc721.js';
import { operationData } from '../../../../../src/domain/tokens/request.js';
import { callLane, newOperation } from '../../../../../src/pipeline/operations/operation.js';
import { writeAll } from '../../../../../src/pipeline/receive/chain/applier.js';
import { createTokenApplier } from '../../../../../src/pipeline/receive/tokens/token.js';
import { removePool } from '../../../../../src/pipeline/state/tokens/pool.js';
import { describedItems, newMessage } from '../../../../../src/pipeline/state/messages/message-row.js';
import { newTransaction } from '../../../../../src/pipeline/state/chain/transaction-row.js';
import type { ContractLog } from '../../../../../src/ports/blockchain.js';
import type { Database } from '../../../../../src/ports/database.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { aMessage, anItem, uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import {
  approvalLogs,
  contractAddress,
  mintLogs,
  nobody,
  tokenId,
  transferLogs,
} from '../../../../support/token-logs.js';
import { aPool } from '../../../../support/token-rows.js';

const [ann, ben] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
const factory = `0x${'f'.repeat(40)}`;
const coins = tokenId(1, 'fungible');
const plainCoin = new Interface(['event Transfer(address indexed from, address indexed to, uint256 value)']);
const hash = 'e'.repeat(64);
const random = createSeededRandom(1);

async function withPools(...pools: readonly NewRow<'pools'>[]): Promise<Database> {
  const database = createMemoryDatabase();
  await database.transaction((unit) => unit.insert('pools', pools));
  return database;
}

function apply(database: Database, logs: readonly ContractLog[]) {
  const all = [createErc1155({ address: contractAddress, firstBlock: 0 }), createErc20Erc721({ address: factory })];
  const connectors = new Map(all.map((connector) => [connector.name, connector]));
  const applier = createTokenApplier({ connectors, clock: createManualClock(), random });
  return database.transaction((unit) => writeAll(unit, applier.writesFor(logs)));
}

async function balancesOf(database: Database): Promise<Readonly<Record<string, string>>> {
  const rows = await rowsOf(database, 'balances');
  return Object.fromEntries(rows.map(({ key, tokenIndex, balance }) => [`${key.slice(2, 4)}/${tokenIndex}`, balance]));
}

/** Stores a submitted operation of this node with its transaction. */
async function submit(database: Database, { localId, messageId }: { localId: string; messageId?: string }) {
  const tx = uuid(0x77);
  const subject = { namespace: 'default', tx, batch: '', batchHash: '', signer: ann };
  const created = '2026-01-15T10:00:00.000Z';
  const input = { localId, pool: aPool(1, 'fungible').id };
  await database.transaction(async (unit) => {
    const lane = callLane(ann);
    const row = newOperation({
      id: uuid(0x78),
      type: 'token_transfer',
      lane,
      connector: 'erc1155',
      created,
      subject,
      input,
    });
    await unit.insert('operations', [{ ...row, status: 'Pending', transactionHash: hash }]);
    const transaction = newTransaction('default', { id: tx, type: 'token_transfer', created });
    await unit.insert('transactions', [{ ...transaction, blockchainIds: [hash] }]);
    if (messageId === undefined) return;
    const message = aMessage({ id: messageId, txparent: { type: 'token_transfer', id: tx } });
    const place = { items: describedItems([anItem()]), state: 'staged' as const, pins: [] };
    await unit.insert('messages', [newMessage(message, place)]);
  });
  return tx;
}

describe('the logs of a pool', () => {
  it('become transfers, exact balances, accounts and events, in the order of the chain', async () => {
    const database = await withPools(aPool(1, 'fungible'));
    const max = 2n ** 256n - 1n;
    const applied = await apply(database, [
      ...transferLogs({ block: 2, operator: ann }, { to: ann, id: coins, value: max }),
      ...transferLogs({ block: 3, operator: ann }, { from: ann, to: ben, id: coins, value: 5n }),
      ...transferLogs({ block: 4, operator: ben }, { from: ben, id: coins, value: 5n }),
    ]);
    const transfers = await rowsOf(database, 'transfers');
    expect(transfers.map(({ type, key, amount, protocolId }) => [type, key, amount, protocolId])).toEqual([
      ['mint', ann, String(max), '000000000002/000000/000000'],
      ['transfer', ann, '5', '000000000003/000000/000000'],
      ['burn', ben, '5', '000000000004/000000/000000'],
    ]);
    expect(await balancesOf(database)).toEqual({ 'aa/': String(max - 5n), 'bb/': '0' });
    expect((await rowsOf(database, 'accountpools')).map(({ key }) => key)).toEqual([ann, ben]);
    const events = await rowsOf(database, 'events');
    expect(events.map(({ type, topic }) => [type, topic])).toEqual(
      transfers.flatMap(({ pool }) => [
        ['blockchain_event_received', pool],
        ['token_transfer_confirmed', pool],
      ]),
    );
    const contractEvents = await rowsOf(database, 'blockchainevents');
    expect(transfers.map(({ blockchainEvent }) => blockchainEvent)).toEqual(contractEvents.map(({ id }) => id));
    expect(applied.counts).toMatchObject({ ff_mint_confirmed_total: 1, ff_burn_confirmed_total: 1 });
  });

  it('give the same rows for any pages, also repeated ones', async () => {
    const pages = [2, 4, 6, 8].map((block) => [
      ...transferLogs({ block, operator: ann }, { to: ann, id: coins, value: 10n }),
      ...transferLogs({ block: block + 1, operator: ann }, { from: ann, to: ben, id: coins, value: 3n }),
    ]);
    const [once, often] = [await withPools(aPool(1, 'fungible')), await withPools(aPool(1, 'fungible'))];
    await apply(once, pages.flat());
    for (const page of pages) await apply(often, page);
    await apply(often, pages.flat());
    expect(await balancesOf(often)).toEqual(await balancesOf(once));
    expect(await balancesOf(once)).toEqual({ 'aa/': '28', 'bb/': '12' });
    expect((await rowsOf(often, 'transfers')).map(({ protocolId }) => protocolId)).toEqual(
      (await rowsOf(once, 'transfers')).map(({ protocolId }) => protocolId),
    );
  });

  it('are recorded for each followed pool of each namespace, and for no other', async () => {
    const other = { namespace: 'other', id: uuid(9) };
    const database = await withPools(
      aPool(1, 'fungible'),
      aPool(1, 'fungible', other),
      aPool(1, 'fungible', { namespace: 'third', id: uuid(10), state: 'known' }),
      aPool(2, 'fungible'),
    );
    await apply(database, transferLogs({ block: 2, operator: ann }, { to: ann, id: coins, value: 1n }));
    const rows = await rowsOf(database, 'transfers');
    expect(rows.map(({ namespace, pool }) => [namespace, pool])).toEqual([
      ['default', aPool(1, 'fungible').id],
      ['other', uuid(9)],
    ]);
    expect(new Set(rows.map(({ localId }) => localId)).size).toBe(2);
  });

  it('keep the URI of a token in all its transfers and balances', async () => {
    const database = await withPools(aPool(1, 'nonfungible'));
    const ids = [1, 2].map((index) => tokenId(1, 'nonfungible', index));
    await apply(database, mintLogs({ block: 2, operator: ann, uri: 'ipfs://{id}' }, ann, ids));
    await apply(
      database,
      transferLogs({ block: 3, operator: ann }, { from: ann, to: ben, id: ids[1] ?? 0n, value: 1n }),
    );
    const transfers = await rowsOf(database, 'transfers');
    expect(transfers.map(({ tokenIndex }) => tokenIndex)).toEqual(['1', '2', '2']);
    expect(transfers[2]?.uri).toBe(transfers[1]?.uri);
    expect(transfers[2]?.uri).toMatch(/^ipfs:\/\/[0-9a-f]{64}$/);
    expect((await rowsOf(database, 'balances')).map(({ uri }) => uri)).toEqual([
      transfers[0]?.uri,
      transfers[1]?.uri,
      transfers[1]?.uri,
    ]);
    expect(await balancesOf(database)).toEqual({ 'aa/1': '1', 'aa/2': '0', 'bb/2': '1' });
  });

  it('of an approval are recorded in each pool of the contract, with the newest of a subject active', async () => {
    const pools = [aPool(1, 'fungible'), aPool(2, 'nonfungible')];
    const database = await withPools(...pools);
    await apply(database, [
      ...approvalLogs({ block: 2, operator: ann }, ben, true),
      ...approvalLogs({ block: 3, operator: ben }, ann, true),
    ]);
    await apply(database, approvalLogs({ block: 4, operator: ann }, ben, false));
    const rows = await rowsOf(database, 'approvals');
    expect(rows.map(({ pool, key, approved, active }) => [pool, key, approved, active])).toEqual(
      [
        [ann, true, false],
        [ben, true, true],
        [ann, false, true],
      ].flatMap((rest) => pools.map(({ id }) => [id, ...rest])),
    );
    const startId = `0x${tokenId(2, 'nonfungible').toString(16)}`;
    expect(rows[1]?.protocolId).toBe(`000000000002/000000/000000/${startId}`);
  });
});

/** Returns a mint to ben by a contract whose event does not name the caller, ann. */
function plainMint(): ContractLog {
  const { topics, data } = plainCoin.encodeEventLog('Transfer', [nobody, ben, 5n]);
  const [log] = transferLogs({ block: 2, operator: ann }, { to: ben, id: coins, value: 5n });
  assert(log !== undefined);
  return { ...log, topics, data, input: '0x', sender: ann };
}

it('a transfer of a contract that names no caller has the key of its signer if the locator asks for it', async () => {
  const pools = (['ERC20NoData', 'ERC20WithData'] as const).map((schema, index) =>
    aPool(index, 'fungible', {
      locator: `address=${contractAddress}&type=fungible&schema=${schema}&block=1`,
      chainKey: `${contractAddress}/fungible`,
      connector: 'erc20_erc721',
    }),
  );
  const database = await withPools(...pools);
  await apply(database, [plainMint()]);
  const rows = await rowsOf(database, 'transfers');
  expect(rows.map(({ pool, key, to }) => [pool, key, to])).toEqual([
    [pools[0]?.id, ann, ben],
    // This locator does not ask for the sender.
    [pools[1]?.id, ben, ben],
  ]);
});

describe('an operation of this node', () => {
  it('keeps the localId of its transfer when the pool is deleted and its history is read again', async () => {
    const database = await withPools(aPool(1, 'fungible'));
    await submit(database, { localId: uuid(5) });
    const logs = [
      ...transferLogs({ block: 4, operator: ann, hash }, { to: ann, id: coins, value: 7n }),
      ...transferLogs({ block: 5, operator: ann }, { to: ann, id: coins, value: 8n }),
    ];
    const localIds = async () => (await rowsOf(database, 'transfers')).map(({ localId }) => localId);
    await apply(database, logs);
    const [first, other] = await localIds();
    expect(first).toBe(uuid(5));
    await database.transaction(async (unit) => {
      const pool = await unit.first('pools', { namespace: 'default' });
      assert(pool !== undefined);
      await removePool(unit, pool);
      await unit.insert('pools', [aPool(1, 'fungible')]);
    });
    expect(await localIds()).toEqual([]);
    await apply(database, logs);
    expect(await localIds()).toEqual([uuid(5), expect.not.stringMatching(other ?? '')]);
    const confirmed = (await rowsOf(database, 'events')).filter(({ type }) => type === 'token_transfer_confirmed');
    expect(confirmed.map(({ reference }) => reference)).toEqual([uuid(5), other, (await localIds())[1]]);
  });

  it('ends with the first event of its transaction, which gets its localId and releases its message', async () => {
    const database = await withPools(aPool(1, 'fungible'));
    const tx = await submit(database, { localId: uuid(5), messageId: uuid(6) });
    const data = operationData({ id: tx, type: 'token_transfer' });
    const step = { block: 2, operator: ann, hash, data };
    const second = transferLogs(step, { to: ann, id: coins, value: 2n }).map((log) => {
      return { ...log, position: { ...log.position, logIndex: log.position.logIndex + 2 } };
    });
    const applied = await apply(database, [...transferLogs(step, { to: ann, id: coins, value: 1n }), ...second]);
    const transfers = await rowsOf(database, 'transfers');
    expect(transfers.map(({ localId }) => localId === uuid(5))).toEqual([true, false]);
    expect(transfers.map(({ txid }) => txid)).toEqual([tx, tx]);
    expect(await rowsOf(database, 'operations')).toMatchObject([
      { status: 'Succeeded', output: { transactionHash: hash, protocolId: transfers[0]?.protocolId } },
    ]);
    expect(await rowsOf(database, 'messages')).toMatchObject([{ id: uuid(6), state: 'ready' }]);
    expect(applied.bells).toEqual(expect.arrayContaining(['events', 'operations', 'messages']));
  });

  it('does not end with an event of another signer that names its transaction', async () => {
    const database = await withPools(aPool(1, 'fungible'));
    const tx = await submit(database, { localId: uuid(5), messageId: uuid(6) });
    const data = operationData({ id: tx, type: 'token_transfer' }, { id: uuid(6), hash });
    await apply(database, transferLogs({ block: 2, operator: ben, data }, { to: ben, id: coins, value: 1n }));
    expect(await rowsOf(database, 'transfers')).toMatchObject([{ txid: null, message: uuid(6), messageHash: hash }]);
    expect(await rowsOf(database, 'operations')).toMatchObject([{ status: 'Pending' }]);
    expect(await rowsOf(database, 'messages')).toMatchObject([{ state: 'staged' }]);
  });

  it('stays failed after an event of its transaction', async () => {
    const database = await withPools(aPool(1, 'fungible'));
    await submit(database, { localId: uuid(5) });
    await database.transaction((unit) =>
      unit.update('operations', { namespace: 'default' }, { status: 'Failed', error: 'gone' }),
    );
    await apply(database, transferLogs({ block: 2, operator: ann, hash }, { to: ann, id: coins, value: 1n }));
    expect(await rowsOf(database, 'operations')).toMatchObject([{ status: 'Failed', error: 'gone' }]);
    const localIds = (await rowsOf(database, 'transfers')).map(({ localId }) => localId);
    expect(localIds).toEqual([expect.not.stringMatching(uuid(5))]);
  });
});

describe('the data of a transfer by another program', () => {
  it.each(['', '{', '{"tx":1}', '\u0000', '"'.repeat(5_000)])(
    '%j gives no message and no transaction',
    async (data) => {
      const database = await withPools(aPool(1, 'fungible'));
      await apply(database, transferLogs({ block: 2, operator: ben, data }, { to: ben, id: coins, value: 1n }));
      expect(await rowsOf(database, 'transfers')).toMatchObject([{ message: null, txid: null, amount: '1' }]);
    },
  );

  it('gives a transaction to the first transfer that names it', async () => {
    const database = await withPools(aPool(1, 'fungible'));
    const data = operationData({ id: uuid(3), type: 'token_transfer' });
    for (const block of [2, 3]) {
      await apply(database, transferLogs({ block, operator: ben, data }, { to: ben, id: coins, value: 1n }));
    }
    expect((await rowsOf(database, 'transfers')).map(({ txid }) => txid)).toEqual([uuid(3), null]);
    expect(await rowsOf(database, 'transactions')).toMatchObject([{ id: uuid(3), type: 'token_transfer' }]);
  });
});
