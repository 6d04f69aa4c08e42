import { id as hashOf } from 'ethers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createEthersCodec } from '../../../../../src/adapters/contract-codec/ethers.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { ffiParameter } from '../../../../../src/domain/contracts/schema.js';
import { writeAll } from '../../../../../src/pipeline/receive/chain/applier.js';
import { createListenerApplier } from '../../../../../src/pipeline/receive/contracts/listener.js';
import { newTransaction } from '../../../../../src/pipeline/state/chain/transaction-row.js';
import type { ContractLog } from '../../../../../src/ports/blockchain.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { every } from '../../../../../src/ports/tables/where.js';
import { textOf, valueOf } from '../../../../../src/wire/json/json.js';
import { all, anOperation } from '../../../../compliance/database/rows.js';
import { uuid } from '../../../../support/fixtures.js';
import {
  aChange,
  aListener,
  aLog,
  anEmptying,
  boxAddress,
  changed,
  emptied,
  otherAddress,
} from '../../../../support/listeners.js';

let database = createMemoryDatabase();
let applier = createApplier();

function createApplier() {
  return createListenerApplier({
    codec: createEthersCodec(),
    clock: createManualClock({ start: '2026-01-15T10:00:05.000Z' }),
    random: createSeededRandom(1),
  });
}

beforeEach(() => {
  database = createMemoryDatabase();
  applier = createApplier();
});

const insert = (...rows: NewRow<'listeners'>[]) => database.transaction((unit) => unit.insert('listeners', rows));
const apply = (...logs: ContractLog[]) => database.transaction((unit) => writeAll(unit, applier.writesFor(logs)));
const records = () => database.rows('blockchainevents', { namespace: every }, all);
const events = () => database.rows('events', { namespace: every }, all);
const outputs = async () => (await records()).map(({ output }) => valueOf(output));

describe('a log that matches a listener', () => {
  it('becomes one record and one event', async () => {
    await insert(aListener());
    const applied = await apply(aChange(7, { block: 12, index: 3 }));
    expect(applied).toEqual({ bells: ['events'], counts: { ff_blockchain_events_total: 1 } });
    const [record] = await records();
    expect(record).toMatchObject({
      namespace: 'default',
      source: 'ethereum',
      name: 'Changed',
      listener: uuid(700),
      protocolId: '000000000012/000000/000003',
      timestamp: '2026-01-15T10:00:00.000Z',
      txtype: null,
      txid: null,
      blockchainId: aChange(7, { block: 12 }).transactionHash,
    });
    expect(record?.output).toBe(`{"by":"0x${'a'.repeat(40)}","value":"7"}`);
    expect(valueOf(record?.info ?? textOf({}))).toEqual({
      address: boxAddress,
      blockNumber: '12',
      listenerId: aListener().backendId,
      logIndex: '3',
      signature: 'Changed(address,uint256)',
      subId: aListener().backendId,
      timestamp: '2026-01-15T10:00:00.000Z',
      transactionHash: record?.blockchainId,
      transactionIndex: '0',
    });
    expect(await events()).toMatchObject([
      {
        type: 'blockchain_event_received',
        reference: record?.id,
        topic: 'box',
        topics: ['box'],
        chainName: 'Changed',
        listener: uuid(700),
        author: null,
      },
    ]);
  });

  it('beyond the limits of decoding is recorded as undecodable, without blocking later ones', async () => {
    const event = { name: 'Said', params: [ffiParameter({ name: 'values', type: 'uint256[999999999]' })] };
    const oversized = { event, address: boxAddress };
    await insert(aListener({ events: [oversized, { event: changed, address: boxAddress }] }));
    const topics = [hashOf('Said(uint256[999999999])')];
    await apply(aLog({ block: 2 }, { topics, data: `0x${'1'.padStart(64, '0')}` }), aChange(7, { block: 3 }));
    const [first, second] = await records();
    expect(first).toMatchObject({ name: 'Said', output: '{}' });
    expect(valueOf(first?.info ?? textOf({}))).toMatchObject({ undecodable: expect.stringContaining('limits') });
    expect(second).toMatchObject({ name: 'Changed' });
    expect(second?.info).not.toContain('undecodable');
    expect(await events()).toHaveLength(2);
  });

  it('is recorded once, in the order of the chain', async () => {
    await insert(aListener());
    const logs = [aChange(1, { block: 2 }), aChange(2, { block: 2, index: 1 }), aChange(3, { block: 5 })];
    await apply(...logs);
    expect(await apply(...logs)).toEqual({ bells: [], counts: {} });
    expect(await outputs()).toMatchObject([{ value: '1' }, { value: '2' }, { value: '3' }]);
    expect(await events()).toHaveLength(3);
  });

  it('is recorded for each listener in each namespace', async () => {
    await insert(
      aListener(),
      aListener({ id: uuid(701), name: 'second', topic: 'other' }),
      aListener({ id: uuid(702), namespace: 'blue' }),
    );
    await apply(aChange(1, { block: 2 }));
    expect((await events()).map(({ namespace, topic, listener }) => [namespace, topic, listener])).toEqual([
      ['default', 'box', uuid(700)],
      ['default', 'other', uuid(701)],
      ['blue', 'box', uuid(702)],
    ]);
  });

  it('belongs to the transaction of this node that caused it, in its namespace', async () => {
    await insert(aListener(), aListener({ id: uuid(702), namespace: 'blue' }));
    const log = aChange(1, { block: 2 });
    await database.transaction(async (unit) => {
      const created = '2026-01-15T10:00:00.000Z';
      await unit.insert('transactions', [newTransaction('default', { id: uuid(5), type: 'contract_invoke', created })]);
      await unit.insert('operations', [
        anOperation({ id: uuid(6), namespace: 'default', tx: uuid(5), transactionHash: log.transactionHash }),
      ]);
    });
    await apply(log);
    expect((await records()).map(({ txtype, txid }) => [txtype, txid])).toEqual([
      ['contract_invoke', uuid(5)],
      [null, null],
    ]);
    expect((await events()).map(({ tx, txtype }) => [tx, txtype])).toEqual([
      [uuid(5), 'contract_invoke'],
      [null, null],
    ]);
  });
});

describe('a listener', () => {
  it('records only its event of its contract', async () => {
    await insert(aListener());
    await apply(aChange(1, { block: 2, address: otherAddress }), anEmptying({ block: 3 }));
    expect(await records()).toEqual([]);
  });

  it('without a location records the event of every contract', async () => {
    await insert(aListener({ events: [{ event: changed, address: null }] }));
    await apply(aChange(1, { block: 2 }), aChange(2, { block: 2, index: 1, address: otherAddress }));
    expect(await outputs()).toMatchObject([{ value: '1' }, { value: '2' }]);
  });

  it('with several filters records all their events, in the order of the chain', async () => {
    const events = [
      { event: emptied, address: boxAddress },
      { event: changed, address: otherAddress },
    ];
    await insert(aListener({ events }));
    await apply(
      anEmptying({ block: 2 }),
      aChange(1, { block: 2, index: 1 }),
      aChange(2, { block: 2, index: 2, address: otherAddress }),
      anEmptying({ block: 3 }),
    );
    expect((await records()).map(({ name }) => name)).toEqual(['Emptied', 'Changed', 'Emptied']);
  });

  it('records no event before its first block, or before it has joined', async () => {
    await insert(aListener({ firstBlock: 3 }), aListener({ id: uuid(701), name: 'late', state: 'joining' }));
    await apply(aChange(1, { block: 2 }), aChange(2, { block: 3 }));
    expect((await records()).map(({ listener, protocolId }) => [listener, protocolId])).toEqual([
      [uuid(700), '000000000003/000000/000000'],
    ]);
  });

  it('skips a log that does not decode as the event of its topic', async () => {
    await insert(aListener({ events: [{ event: changed, address: null }] }));
    const { topics } = aChange(1, { block: 2 });
    const [topic = '', by = ''] = topics;
    const hostile = [
      { topics: [topic], data: '0x' },
      { topics: [topic, by], data: '0x' },
      { topics: [topic, by], data: `0x${'ff'.repeat(31)}` },
      { topics: [topic, by, by], data: `0x${'00'.repeat(32)}` },
      { topics: [], data: '0x' },
      { topics: [topic, `0x${'f'.repeat(64)}`], data: `0x${'zz'.repeat(32)}` },
    ];
    await apply(...hostile.map((log, index) => aLog({ block: 2, index }, log)), aChange(9, { block: 3 }));
    expect(await outputs()).toMatchObject([{ value: '9' }]);
  });
});
