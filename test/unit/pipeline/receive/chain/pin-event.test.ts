import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { pinnedIn, recordPinEvents } from '../../../../../src/pipeline/receive/chain/pin-event.js';
import type { PinLog } from '../../../../../src/ports/blockchain.js';
import { uuid } from '../../../../support/fixtures.js';
import { all } from '../../../../compliance/database/rows.js';

const alice = `0x${'a'.repeat(40)}`;
const mallory = `0x${'e'.repeat(40)}`;
const contract = `0x${'c'.repeat(40)}`;
const created = '2026-01-15T10:00:00.000Z';

function aPin(block: number, values: Partial<PinLog> = {}): PinLog {
  return {
    type: 'batch_pin',
    position: { block, transactionIndex: 0, logIndex: 0 },
    transactionHash: block.toString(16).padStart(64, '0'),
    time: created,
    signer: alice,
    transactionId: uuid(1),
    batchId: uuid(2),
    batchHash: 'b'.repeat(64),
    payloadRef: 'Qm',
    contexts: ['c'.repeat(64)],
    ...values,
  };
}

it('a pin is recorded as an event of the contract in the system namespace', async () => {
  const database = createMemoryDatabase();
  const random = createSeededRandom(1);
  await database.transaction((unit) => recordPinEvents(unit, [aPin(3)], { contract, random, created }));
  const [record] = await database.rows('blockchainevents', { namespace: 'svc_system' }, all);
  expect(record).toMatchObject({
    name: 'BatchPin',
    source: 'ethereum',
    origin: 'network',
    listener: null,
    protocolId: '000000000003/000000/000000',
    txtype: 'batch_pin',
    txid: uuid(1),
  });
  const uuids = `0x${`${uuid(1)}${uuid(2)}`.replaceAll('-', '')}`;
  expect(record?.output).toBe(
    `{"author":"${alice}","uuids":"${uuids}","batchHash":"0x${'b'.repeat(64)}","payloadRef":"Qm",` +
      `"contexts":["0x${'c'.repeat(64)}"]}`,
  );
  expect(await database.rows('events', { namespace: 'svc_system' }, all)).toMatchObject([
    {
      type: 'blockchain_event_received',
      reference: record?.id,
      topic: 'svc_batch_pin',
      tx: uuid(1),
      chainName: 'BatchPin',
    },
  ]);
});

it('a batch is pinned in the transaction of its own signer only', async () => {
  const database = createMemoryDatabase();
  const random = createSeededRandom(1);
  const logs = [aPin(3, { signer: mallory }), aPin(4, { batchId: uuid(9) }), aPin(5)];
  await database.transaction((unit) => recordPinEvents(unit, logs, { contract, random, created }));
  const find = (id: string) => database.transaction((unit) => pinnedIn(unit, { txid: uuid(1), id, signer: alice }));
  expect(await find(uuid(2))).toEqual([logs[2]?.transactionHash]);
  expect(await find(uuid(9))).toEqual([logs[1]?.transactionHash]);
  expect(await find(uuid(8))).toEqual([]);
});
