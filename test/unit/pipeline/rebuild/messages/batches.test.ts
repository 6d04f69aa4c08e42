import { expect, it } from 'vitest';
import { createMemoryLedger } from '../../../../../src/adapters/blockchain/memory/memory.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createSystemRandom } from '../../../../../src/adapters/random/system.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../../../../src/adapters/log/silent.js';
import { systemNamespace } from '../../../../../src/domain/network/identity.js';
import { undoBatches } from '../../../../../src/pipeline/rebuild/messages/batches.js';
import type { Database } from '../../../../../src/ports/database.js';
import type { ListedItems, NewRow } from '../../../../../src/ports/tables/tables.js';
import { payloadData } from '../../../../../src/pipeline/state/data/data-row.js';
import { headerOf } from '../../../../../src/pipeline/records/records.js';
import { sealBatch } from '../../../../../src/domain/messages/batch.js';
import { aBatch, aDataItem, aMessage, anOperation, aPin } from '../../../../compliance/database/rows.js';
import { alice } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';

async function undoAfter(after: number, database: Database, keys = [alice.key]): Promise<void> {
  const clock = createManualClock();
  const blockchain = createMemoryLedger({ clock }).connect({ keys });
  const [log, failpoint] = [createSilentLog(), { reach: () => Promise.resolve() }];
  const environment = { clock, random: createSystemRandom(), log, failpoint };
  await undoBatches({ database, blockchain, ...environment, firstBlock: 0, after, afterUnit: () => Promise.resolve() });
}

it('undoing a batch keeps the download of another batch with the same id', async () => {
  const database = createMemoryDatabase();
  await database.transaction(async (unit) => {
    for (const [signer, block] of [
      ['0x1', 3],
      ['0x2', 7],
    ] as const) {
      const batch = aBatch({ signer, state: 'wanted' });
      const name = { batch: batch.id, batchHash: batch.hash, signer };
      await unit.insert('batches', [batch]);
      await unit.insert('pins', [aPin({ ...name, block, spent: false })]);
      await unit.insert('operations', [anOperation({ ...name, id: signer, type: 'sharedstorage_download_batch' })]);
    }
  });
  await undoAfter(5, database);
  expect((await rowsOf(database, 'batches')).map(({ signer }) => signer)).toEqual(['0x1']);
  expect((await rowsOf(database, 'operations')).map(({ id }) => id)).toEqual(['0x1']);
});

it('a private batch whose data was deleted is requested from its author, and its transaction is removed', async () => {
  const database = createMemoryDatabase();
  const name = { batch: 'batch', batchHash: 'hash', signer: '0xbob' };
  const manifest = [
    { id: 'message', hash: 'hash', topics: 1, items: itemsOf([{ id: 'deleted', hash: 'hash', seal: 'seal' }]) },
  ];
  const held = { type: 'private', state: 'held', group: 'group', node: 'bob-node', manifest } as const;
  await database.transaction(async (unit) => {
    await unit.insert('batches', [aBatch({ id: 'batch', hash: 'hash', signer: '0xbob', ...held })]);
    await unit.insert('pins', [aPin({ ...name, block: 7 })]);
    await unit.insert('transactions', [aTransaction('transaction')]);
  });
  await undoAfter(5, database);
  const requests = [{ ...name, type: 'dataexchange_request_batch', lane: 'peer:bob-node', tx: 'transaction' }];
  expect(await rowsOf(database, 'operations')).toMatchObject(requests);
  expect(await rowsOf(database, 'transactions')).toEqual([]);
  // The pin is read again and stores the transaction again; a second rebuild removes that too.
  await database.transaction(async (unit) => {
    await unit.insert('batches', [
      aBatch({ id: 'batch', hash: 'hash', signer: '0xbob', type: 'private', state: 'wanted' }),
    ]);
    await unit.insert('pins', [aPin({ ...name, block: 7 })]);
    await unit.insert('transactions', [aTransaction('transaction')]);
  });
  await undoAfter(5, database);
  expect(await rowsOf(database, 'operations')).toMatchObject(requests);
  expect(await rowsOf(database, 'transactions')).toEqual([]);
});

it('a private batch becomes a candidate for its pin, with claims for its files', async () => {
  const database = createMemoryDatabase();
  const item = aDataItem({ blobHash: 'f'.repeat(64), blobSize: 3 });
  const data = [{ id: item.id, hash: item.hash, seal: item.seal }];
  const message = aMessage({ type: 'private', group: 'group', data, hasBlobs: true, nonces: [0] });
  const { author, key: signer, created } = message;
  const content = { id: 'batch', namespace: 'default', node: 'bob-node', author, key: signer, created };
  const sealed = sealBatch({
    ...content,
    transactionId: 'transaction',
    messages: [{ header: headerOf({ sequence: 1, ...message }), hash: message.hash, data, nonces: [0] }],
    data: [payloadData(item)],
  });
  const manifest = [{ id: message.id, hash: message.hash, topics: 1, items: itemsOf(data) }];
  const held = {
    type: 'private',
    state: 'held',
    group: 'group',
    node: 'bob-node',
    manifest,
    author,
    signer,
    created,
  } as const;
  const name = { batch: 'batch', batchHash: sealed.hash, signer };
  await database.transaction(async (unit) => {
    await unit.insert('groups', [
      { namespace: 'default', hash: 'group', name: '', members: [], created, message: null },
    ]);
    await unit.insert('data', [item]);
    await unit.insert('messages', [{ ...message, batch: name.batch, batchHash: name.batchHash }]);
    await unit.insert('batches', [aBatch({ id: 'batch', hash: sealed.hash, ...held })]);
    await unit.insert('pins', [aPin({ ...name, block: 7 })]);
  });
  await undoAfter(5, database, []);
  expect(await rowsOf(database, 'candidates')).toMatchObject([{ hash: sealed.hash, peer: 'bob-node' }]);
  const claim = { peer: 'bob-node', source: sealed.hash, blob: item.blobHash, sizeBytes: 3 };
  expect(await rowsOf(database, 'claims')).toMatchObject([claim]);
  expect(await rowsOf(database, 'operations')).toEqual([]);
});

it('the files of a batch that was void are sent again, as others may judge it otherwise', async () => {
  const database = createMemoryDatabase();
  const name = { batch: 'batch', batchHash: 'hash', signer: alice.key };
  const manifest = [{ id: 'message', hash: 'hash', topics: 1 }];
  const own = { type: 'private', state: 'void', reason: 'why', group: 'group', manifest } as const;
  const ended = { ...name, type: 'dataexchange_send_blob', lane: 'blobs:bob', status: 'Succeeded' } as const;
  await database.transaction(async (unit) => {
    await unit.insert('batches', [aBatch({ id: 'batch', hash: 'hash', signer: alice.key, ...own })]);
    await unit.insert('pins', [aPin({ ...name, block: 7 })]);
    await unit.insert('blobs', [{ namespace: systemNamespace, hash: 'file', sizeBytes: 1, created: '' }]);
    await unit.insert('operations', [anOperation({ ...ended, id: 'file', blob: 'file' })]);
  });
  await undoAfter(5, database);
  expect(await rowsOf(database, 'batches')).toMatchObject([{ state: 'sealed', reason: null }]);
  expect(await rowsOf(database, 'operations')).toMatchObject([{ id: 'file', status: 'Initialized' }]);
});

function itemsOf(data: ListedItems['data']): ListedItems {
  return { data, hasBlobs: false, hasDatatypes: false, sizeBytes: 1 };
}

function aTransaction(id: string): NewRow<'transactions'> {
  const namespace = 'default';
  return { namespace, id, type: 'batch_pin', created: '', idempotencyKey: null, blockchainIds: [] };
}
