import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { detailOf } from '../../../../src/node/chain/operation-detail.js';
import type { Attempted } from '../../../../src/pipeline/operations/lane.js';
import type { OperationRow } from '../../../../src/ports/tables/tables.js';
import { anOperation } from '../../../compliance/database/rows.js';

const clock = createManualClock({ start: '2026-01-15T10:00:00.000Z' });
const operation = (values: Partial<OperationRow>): OperationRow => ({ sequence: 1, ...anOperation(), ...values });
const detail = (values: Partial<OperationRow>, attempted?: Attempted) =>
  detailOf(operation({ lane: 'store', nonce: null, ...values }), { attemptsOf: () => attempted, clock });

describe('the detail of an operation', () => {
  test('has the attempts and the time of the next one until it has ended', () => {
    const attempted = { attempts: 3, nextInMs: 400 };
    expect(detail({ status: 'Pending' }, attempted)).toEqual({
      lane: 'store',
      nonce: null,
      attempts: 3,
      nextAttempt: '2026-01-15T10:00:00.400Z',
    });
    expect(detail({ status: 'Initialized' }, { attempts: 0 })).toEqual({ lane: 'store', nonce: null, attempts: 0 });
  });
  test('has no attempts if it has ended, or is unknown', () => {
    for (const status of ['Succeeded', 'Failed'] as const) {
      expect(detail({ status }, { attempts: 3 })).toEqual({ lane: 'store', nonce: null });
    }
    expect(detail({ status: 'Pending' })).toEqual({ lane: 'store', nonce: null });
  });
  test('has the receipt of a call that was mined', () => {
    const receipt = { transactionHash: '0xab', blockNumber: 7 };
    const output = { ...receipt, more: true };
    expect(detail({ status: 'Succeeded', nonce: 4, output })).toEqual({ lane: 'store', nonce: 4, receipt });
    const deployed = { ...output, contractLocation: { address: '0xcd' } };
    expect(detail({ status: 'Succeeded', output: deployed })).toMatchObject({
      receipt: { ...receipt, extraInfo: { contractAddress: '0xcd' } },
    });
    expect(detail({ status: 'Succeeded', output: { payloadRef: 'Qm' } })).not.toHaveProperty('receipt');
  });
});
