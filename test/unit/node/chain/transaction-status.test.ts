import { describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { transactionStatus } from '../../../../src/node/chain/transaction-status.js';
import { operationRecord } from '../../../../src/pipeline/records/operations.js';
import { newMessageEvent } from '../../../../src/pipeline/state/events/event-row.js';
import { newTransaction } from '../../../../src/pipeline/state/chain/transaction-row.js';
import { newBlockchainEvent } from '../../../../src/pipeline/receive/contracts/blockchain-event.js';
import { pinEventTopic } from '../../../../src/domain/network/identity.js';
import type { Unit } from '../../../../src/ports/database.js';
import type { NewRow, TransactionType } from '../../../../src/ports/tables/tables.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { aBatch, aMessage, anOperation } from '../../../compliance/database/rows.js';
import { codeOfAsync } from '../../../support/codes.js';
import { uuid } from '../../../support/fixtures.js';
import { aChange } from '../../../support/listeners.js';
import { aPool } from '../../../support/token-rows.js';

const id = uuid(1);
const created = '2026-01-15T10:00:00.000Z';

interface Parts {
  readonly type?: TransactionType;
  readonly rows?: (unit: Unit) => Promise<void>;
  readonly operations?: readonly Partial<NewRow<'operations'>>[];
  readonly batch?: Partial<NewRow<'batches'>>;
}

const place = {
  namespace: 'default',
  pool: uuid(8),
  connector: 'erc1155',
  key: '0xa',
  created,
  blockchainEvent: uuid(9),
  block: 3,
  protocolId: '3/0/0',
  message: null,
  messageHash: null,
  txtype: null,
  txid: null,
};

function aTransfer(localId: string): NewRow<'transfers'> {
  const ends = { tokenIndex: null, uri: null, from: null, to: '0xa', amount: '7' };
  return { ...place, ...ends, type: 'mint', localId };
}

function anApproval(localId: string): NewRow<'approvals'> {
  const said = { operator: '0xb', approved: true, info: null, subject: '0xa:0xb', active: true };
  return { ...place, ...said, localId };
}

/** Inserts the rejected definition of a pool, with its event. */
async function insertRejection(unit: Unit, pool: string): Promise<void> {
  const definition = aMessage({ id: uuid(20), type: 'definition', state: 'rejected', rejectReason: 'taken' });
  await unit.insert('messages', [{ ...definition, namespace: 'svc_system' }]);
  const decision = { id: uuid(21), state: 'rejected', tx: uuid(22), correlator: pool, created } as const;
  await unit.insert('events', [{ ...newMessageEvent(definition, decision), namespace: 'default' }]);
}

/** Returns the status of a transaction with these parts. */
async function statusOf({ type = 'batch_pin', rows: insertRows, operations = [], batch }: Parts) {
  const database = createMemoryDatabase();
  await database.transaction(async (unit) => {
    await unit.insert('transactions', [newTransaction('default', { id, type, created })]);
    const rows = operations.map((each, n) => anOperation({ id: uuid(10 + n), tx: id, batch: '', ...each }));
    await unit.insert('operations', rows);
    await insertRows?.(unit);
    if (batch !== undefined) await unit.insert('batches', [aBatch({ id: uuid(2), txid: id, ...batch })]);
  });
  return transactionStatus(database, 'default', id.toUpperCase());
}

describe('the status of a transaction', () => {
  it('is a success if all its parts are', async () => {
    const status = await statusOf({
      operations: [{ status: 'Succeeded', updated: '2026-01-15T10:00:02.000Z', output: { cid: 'Qm' } }],
      batch: { state: 'held', confirmed: '2026-01-15T10:00:03.000Z' },
    });
    expect(status).toMatchObject({
      status: 'Succeeded',
      details: [
        { type: 'Batch', id: uuid(2), timestamp: '2026-01-15T10:00:03.000Z' },
        { type: 'Operation', subtype: 'blockchain_pin_batch', id: uuid(10), info: '{"cid":"Qm"}' },
      ],
    });
  });

  it('has the output of an operation as the operation shows it', async () => {
    const output = { transactionHash: 'ab'.repeat(32), blockNumber: 7, transactionIndex: 1 };
    const { details } = await statusOf({ operations: [{ status: 'Succeeded', output }] });
    const operation = operationRecord(
      { sequence: 1, ...anOperation({ id: uuid(10), status: 'Succeeded', output }) },
      undefined,
    );
    expect(details.find(({ type }) => type === 'Operation')?.info).toBe(operation.output);
    expect(operation.output).toContain(`"transactionHash":"0x${output.transactionHash}","blockNumber":"7"`);
  });

  it('is pending while a part is, and parts without a time are first', async () => {
    const status = await statusOf({ operations: [{ status: 'Succeeded' }] });
    expect(status).toMatchObject({
      status: 'Pending',
      details: [{ type: 'Batch', status: 'Pending' }, { type: 'Operation' }],
    });
  });

  it('is a failure if a failed part was not retried', async () => {
    const failed = { status: 'Failed', error: 'reverted' } as const;
    const batch = { state: 'sealed' } as const;
    expect(await statusOf({ operations: [failed], batch })).toMatchObject({ status: 'Failed' });
    const retried = await statusOf({
      operations: [{ ...failed, retry: uuid(11) }, { status: 'Pending' }],
      batch,
    });
    expect(retried).toMatchObject({ status: 'Pending', details: [{ type: 'Batch' }, { id: uuid(11) }] });
    expect(await statusOf({ batch: { state: 'cancelled' } })).toMatchObject({ status: 'Failed' });
    const voided = await statusOf({ batch: { state: 'void', reason: 'why', confirmed: created } });
    expect(voided).toMatchObject({ status: 'Failed', details: [{ error: 'why' }] });
  });

  it("has the parts of its own batch, and nothing of another member's with its id", async () => {
    const { hash, signer } = aBatch();
    const own = { batch: uuid(2), batchHash: hash, signer, status: 'Succeeded' } as const;
    const foreign = { type: 'sharedstorage_download_batch', status: 'Pending' } as const;
    const others = [
      { ...own, ...foreign, signer: '0xe' },
      { ...own, ...foreign, batchHash: 'e'.repeat(64) },
      { ...own, ...foreign, batch: uuid(3) },
    ];
    const batch = { state: 'held', confirmed: created } as const;
    const status = await statusOf({ operations: [own, ...others], batch });
    expect(status).toMatchObject({ status: 'Succeeded', details: [{}, {}] });
    const transfer = await statusOf({ type: 'contract_invoke', operations: [{ status: 'Succeeded' }, ...others] });
    expect(transfer).toMatchObject({ status: 'Succeeded', details: [{ id: uuid(10) }] });
  });

  it('of one without a batch has only its operations', async () => {
    const status = await statusOf({ type: 'none', operations: [{ status: 'Initialized' }] });
    expect(status).toMatchObject({ status: 'Pending', details: [{ type: 'Operation', status: 'Pending' }] });
  });

  it.each([
    ['of a pin that is in the system namespace', 'batch_pin', ['svc_system']],
    ['of a pin, where a network reports it, that of the namespace', 'batch_pin', ['svc_system', 'default']],
    ['of another transaction that of the namespace', 'contract_invoke', ['default']],
  ] as const)('has the event of a contract; %s', async (_, type, namespaces) => {
    const heard = namespaces.map((namespace, number) =>
      newBlockchainEvent({
        namespace,
        id: uuid(5 + number),
        eventId: uuid(15 + number),
        source: 'ethereum',
        name: 'Changed',
        signature: 'Changed()',
        log: aChange(1, { block: 2 }),
        output: textOf({}),
        listener: null,
        backendId: 'sub-1',
        origin: 'network',
        topic: pinEventTopic,
        tx: { type, id },
        created,
      }),
    );
    const records = heard.map(({ record }) => record);
    const status = await statusOf({ type, rows: (unit) => unit.insert('blockchainevents', records) });
    const shown = { subtype: 'Changed', status: 'Succeeded', timestamp: created };
    expect(status.details.filter((detail) => detail.type === 'BlockchainEvent')).toEqual([
      { type: 'BlockchainEvent', ...shown, id: records.at(-1)?.id, info: records.at(-1)?.info },
    ]);
  });

  it('waits for the pool, the transfer or the approval that it is for', async () => {
    const ours = { type: 'token_transfer', input: { localId: uuid(7) } } as const;
    const operations = [{ ...ours, status: 'Succeeded' }] as const;
    for (const [type, part] of [
      ['token_pool', 'TokenPool'],
      ['token_transfer', 'TokenTransfer'],
      ['token_approval', 'TokenApproval'],
    ] as const) {
      const status = await statusOf({ type, operations: [{ ...ours, status: 'Pending' }] });
      expect(status).toMatchObject({ status: 'Pending', details: [{ type: part, status: 'Pending' }, {}] });
    }
    const there = await statusOf({
      type: 'token_transfer',
      operations,
      rows: (unit) => unit.insert('transfers', [aTransfer(uuid(7))]),
    });
    expect(there.status).toBe('Succeeded');
    expect(there.details).toContainEqual(
      expect.objectContaining({ type: 'TokenTransfer', subtype: 'mint', id: uuid(7) }),
    );
    const approved = await statusOf({
      type: 'token_approval',
      operations,
      rows: (unit) => unit.insert('approvals', [anApproval(uuid(7))]),
    });
    expect(approved).toMatchObject({ status: 'Succeeded' });
  });

  it.each([
    ['transfer', 'token_transfer', 'TokenTransfer'],
    ['approval', 'token_approval', 'TokenApproval'],
  ] as const)("of another party's %s is a success when that is recorded here", async (_, type, part) => {
    const [log, names] = [aChange(1, { block: 3 }), { source: 'erc1155', name: 'Changed', signature: 'Changed()' }];
    const texts = { output: textOf({}), listener: null, backendId: place.pool, origin: place.pool, topic: place.pool };
    const ids = { namespace: 'default', id: place.blockchainEvent, eventId: uuid(6) };
    const protocolId = place.protocolId;
    const heard = newBlockchainEvent({ ...ids, ...names, ...texts, log, protocolId, tx: { type, id }, created });
    const status = await statusOf({
      type,
      async rows(unit) {
        await unit.insert('blockchainevents', [heard.record]);
        await unit.insert('transfers', [aTransfer(uuid(7))]);
        await unit.insert('approvals', [anApproval(uuid(7))]);
      },
    });
    expect(status.status).toBe('Succeeded');
    expect(status.details.map((detail) => detail.type)).toEqual(['BlockchainEvent', part]);
  });

  it('of a transfer in a pool that was deleted since stays a success', async () => {
    const operations = [{ type: 'token_transfer', status: 'Succeeded', input: { localId: uuid(7) } }] as const;
    expect(await statusOf({ type: 'token_transfer', operations })).toMatchObject({
      status: 'Succeeded',
      details: [{ type: 'Operation' }],
    });
  });

  it('of a pool is pending until it is active, and a failure if it was refused', async () => {
    const statusOfPool = async (changes: Partial<NewRow<'pools'>>) =>
      statusOf({
        type: 'token_pool',
        rows: (unit) => unit.insert('pools', [aPool(1, 'fungible', { txid: id, ...changes })]),
      });
    expect(await statusOfPool({ active: false })).toMatchObject({ status: 'Pending' });
    expect(await statusOfPool({ active: true })).toMatchObject({ status: 'Succeeded' });
    expect(await statusOfPool({ active: false, state: 'refused', refusal: 'why' })).toMatchObject({
      status: 'Failed',
      details: [{ type: 'TokenPool', error: 'why' }],
    });
  });

  it('of a pool that was deleted since is that of its operations', async () => {
    const creation = { type: 'token_create_pool', input: { pool: uuid(8), publish: false } } as const;
    const rows = (unit: Unit) => insertRejection(unit, uuid(8));
    const status = await statusOf({ type: 'token_pool', operations: [{ ...creation, status: 'Succeeded' }], rows });
    expect(status).toMatchObject({ status: 'Succeeded', details: [{ type: 'Operation' }] });
    const early = await statusOf({ type: 'token_pool', operations: [{ ...creation, status: 'Pending' }] });
    expect(early.status).toBe('Pending');
  });

  it('of a pool whose definition was rejected is a failure, with the reason', async () => {
    const creation = { type: 'token_create_pool', input: { pool: uuid(8), publish: true } } as const;
    const operations = [{ ...creation, status: 'Succeeded' }] as const;
    const rows = (unit: Unit) => insertRejection(unit, uuid(8));
    expect(await statusOf({ type: 'token_pool', operations, rows })).toMatchObject({
      status: 'Failed',
      details: [{ type: 'TokenPool', id: uuid(8), error: 'taken', timestamp: created }, {}],
    });
    const others = { type: 'token_activate_pool', status: 'Succeeded', input: { pool: uuid(8) } } as const;
    const elsewhere = await statusOf({ type: 'token_pool', operations: [others], rows });
    expect(elsewhere).toMatchObject({ status: 'Failed' });
  });

  it('is refused for an id that is not a transaction of the namespace', async () => {
    const database = createMemoryDatabase();
    expect(await codeOfAsync(() => transactionStatus(database, 'default', 'x'))).toBe('FF00138');
    expect(await codeOfAsync(() => transactionStatus(database, 'default', id))).toBe('FF10109');
  });
});
