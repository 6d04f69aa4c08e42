import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import {
  beginTransaction,
  createOnce,
  insertTransaction,
} from '../../../../../src/pipeline/accept/messages/transaction.js';
import { newTransaction } from '../../../../../src/pipeline/state/chain/transaction-row.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';

const created = '2026-01-15T10:00:00.000Z';
const key = 'the key';

function aScene() {
  const database = createMemoryDatabase();
  const random = createSeededRandom(1);
  const once = createOnce(database);
  const rowOf = (number: number) =>
    newTransaction('default', { id: uuid(number), type: 'token_transfer', created, idempotencyKey: key });
  const insert = (number: number) =>
    database.transaction((unit) => insertTransaction(unit, rowOf(number), random)).then(() => number);
  const begin = (number: number) =>
    database.transaction((unit) => beginTransaction(unit, rowOf(number), random)).then(() => number);
  const ids = async () => (await rowsOf(database, 'transactions')).map(({ id }) => id);
  return { once, insert, begin, ids };
}

const isUsedBy = (number: number) => ({ reason: 'transaction_key_used', fields: { id: uuid(number) } });

it('takes the first of concurrent requests with one key, and refuses the others with its id', async () => {
  const { once, insert, ids } = aScene();
  const outcomes = await Promise.allSettled([1, 2, 3].map((number) => once('default', key, () => insert(number))));
  const refused = { status: 'rejected', reason: isUsedBy(1) };
  expect(outcomes).toMatchObject([{ status: 'fulfilled', value: 1 }, refused, refused]);
  expect(await ids()).toEqual([uuid(1)]);
});

it('does not begin the work of a repeated request', async () => {
  const { once, insert } = aScene();
  await once('default', key, () => insert(1));
  let hasBegun = false;
  const repeat = once('default', key, async () => void (hasBegun = true));
  await expect(repeat).rejects.toMatchObject(isUsedBy(1));
  expect(hasBegun).toBe(false);
});

it('leaves the key of a failed request to the next one', async () => {
  const { once, insert, ids } = aScene();
  const failed = once('default', key, () => Promise.reject(new Error('the disk is full')));
  const next = once('default', key, () => insert(2));
  await expect(failed).rejects.toThrow('the disk is full');
  expect(await next).toBe(2);
  expect(await ids()).toEqual([uuid(2)]);
});

it('refuses a request whose key another kind of request takes between check and store', async () => {
  const { once, insert, begin, ids } = aScene();
  const second = once('default', key, async () => {
    await begin(1);
    return insert(2);
  });
  await expect(second).rejects.toMatchObject(isUsedBy(1));
  expect(await ids()).toEqual([uuid(1)]);
});

it('lets requests without a key or with another namespace pass without waiting', async () => {
  const { once } = aScene();
  let release = (): void => undefined;
  const held = once('default', key, () => new Promise<void>((resolve) => (release = resolve)));
  expect(await once('default', undefined, async () => 'no key')).toBe('no key');
  expect(await once('other', key, async () => 'other namespace')).toBe('other namespace');
  release();
  await held;
});
