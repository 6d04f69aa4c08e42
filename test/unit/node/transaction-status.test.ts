import { describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../src/adapters/database/memory.js';
import { transactionStatus } from '../../../src/node/transaction-status.js';
import { newTransaction } from '../../../src/pipeline/rows.js';
import type { NewRow } from '../../../src/ports/tables.js';
import { aBatch, anOperation } from '../../compliance/database-rows.js';
import { codeOfAsync } from '../../support/codes.js';
import { uuid } from '../../support/fixtures.js';

const id = uuid(1);
const created = '2026-01-15T10:00:00.000Z';

interface Parts {
  readonly type?: 'batch_pin' | 'none';
  readonly operations?: readonly Partial<NewRow<'operations'>>[];
  readonly batch?: Partial<NewRow<'batches'>>;
}

/** The status of a transaction that has these parts. */
async function statusOf({ type = 'batch_pin', operations = [], batch }: Parts) {
  const database = createMemoryDatabase();
  await database.transaction(async (unit) => {
    await unit.insert('transactions', [newTransaction('default', { id, type, created })]);
    const rows = operations.map((each, n) => anOperation({ id: uuid(10 + n), tx: id, ...each }));
    await unit.insert('operations', rows);
    if (batch !== undefined) await unit.insert('batches', [aBatch({ id: uuid(2), txid: id, ...batch })]);
  });
  return transactionStatus(database, 'default', id.toUpperCase());
}

describe('the status of a transaction', () => {
  it('is a success when all of its parts are', async () => {
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

  it('is pending while a part is, and what has no time stands first', async () => {
    const status = await statusOf({ operations: [{ status: 'Succeeded' }] });
    expect(status).toMatchObject({
      status: 'Pending',
      details: [{ type: 'Batch', status: 'Pending' }, { type: 'Operation' }],
    });
  });

  it('is a failure when a part has failed that was not tried again', async () => {
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

  it('of one without a batch has its operations alone', async () => {
    const status = await statusOf({ type: 'none', operations: [{ status: 'Initialized' }] });
    expect(status).toMatchObject({ status: 'Pending', details: [{ type: 'Operation', status: 'Pending' }] });
  });

  it('is refused for what is no transaction of the namespace', async () => {
    const database = createMemoryDatabase();
    expect(await codeOfAsync(() => transactionStatus(database, 'default', 'x'))).toBe('FF00138');
    expect(await codeOfAsync(() => transactionStatus(database, 'default', id))).toBe('FF10109');
  });
});
