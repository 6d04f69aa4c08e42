import { expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createRetryOperation, type RetryOperation } from '../../../../../src/pipeline/accept/messages/retry.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { cancelMessages } from '../../../../../src/pipeline/state/messages/staged.js';
import { compact } from '../../../../../src/wire/json/json-reader.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { aTokenScene } from '../tokens/a-token-scene.js';

type Permit = Parameters<RetryOperation>[2];

/** Creates a failed transfer, whose message is cancelled. */
async function aFailedTransfer() {
  const { acceptTransfer, database } = await aTokenScene();
  const message = { data: [{ value: compact('"hello"') }] };
  const { operation, record } = await acceptTransfer('default', 'mint', { amount: compact('1'), message });
  const place = { namespace: 'default', now: '2026-01-15T10:00:09.000Z' };
  await database.transaction(async (unit) => {
    await unit.update('operations', { namespace: 'default' }, { status: 'Failed', error: 'reverted' });
    await cancelMessages(unit, { type: 'token_transfer', id: record.tx?.id ?? '' }, place);
  });
  const retry = createRetryOperation({
    database,
    blockchain: { network: `0x${'e'.repeat(40)}` },
    bus: createBus(),
    clock: createManualClock(),
    random: createSeededRandom(9),
  });
  return { database, record, retry: (permit?: Permit) => retry('default', operation, permit) };
}

it('stages the message of a failed operation again for its retry, which has the same localId', async () => {
  const { database, record, retry } = await aFailedTransfer();
  const again = await retry();
  expect(again.input['localId']).toBe(record.localId);
  expect(await rowsOf(database, 'messages')).toMatchObject([{ id: record.message, state: 'staged' }]);
});

it('passes the message that a retry sends to the check of permissions', async () => {
  const { database, record, retry } = await aFailedTransfer();
  const checked: unknown[] = [];
  const refuse: Permit = ({ type }, messages) => {
    checked.push(type, ...messages.map(({ id }) => id));
    return Promise.reject(new Error('no'));
  };
  await expect(retry(refuse)).rejects.toThrow('no');
  expect(checked).toEqual(['token_transfer', record.message]);
  expect(await rowsOf(database, 'messages')).toMatchObject([{ state: 'cancelled' }]);
});

it('refuses to retry an operation whose message has lost its data, and changes nothing', async () => {
  const { database, retry } = await aFailedTransfer();
  await database.transaction((unit) => unit.remove('data', { namespace: 'default' }));
  expect(await codeOfAsync(retry)).toBe('PY1301');
  expect(await rowsOf(database, 'messages')).toMatchObject([{ state: 'cancelled' }]);
  expect(await rowsOf(database, 'operations')).toMatchObject([{ retry: null }]);
});

it('refuses to retry an operation in a pool that was removed', async () => {
  const { database, retry } = await aFailedTransfer();
  await database.transaction((unit) => unit.remove('pools', { namespace: 'default' }));
  expect(await codeOfAsync(retry)).toBe('PY1301');
});
