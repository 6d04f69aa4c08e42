import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { every, having, not, present, type Test, type Where } from '../../../../src/ports/tables/where.js';

const database = createMemoryDatabase();
const limit = 10;

type Refused<Given, W> = Given extends W ? false : true;

it('a selection of rows that belong to namespaces names one, or all, or a row by its content or place', async () => {
  await expect(database.rows('messages', { namespace: 'default' }, { limit })).resolves.toEqual([]);
  await expect(database.rows('messages', { namespace: every, state: 'ready' }, { limit })).resolves.toEqual([]);
  await expect(database.first('messages', { sequence: 1 })).resolves.toBeUndefined();
  await expect(database.first('batches', { id: 'a', hash: 'b', signer: 'c' })).resolves.toBeUndefined();
  await expect(database.has('pins', { spent: false })).resolves.toBe(false);
  const isForgotten: Refused<{ state: 'ready' }, Where<'messages'>> = true;
  const isPublicId: Refused<{ id: string }, Where<'messages'>> = true;
  const isRange: Refused<{ sequence: Test<number> }, Where<'events'>> = true;
  expect([isForgotten, isPublicId, isRange]).toEqual([true, true, true]);
});

it('a value is one of its column', async () => {
  const namespace = 'default';
  await expect(database.count('messages', { namespace, topics: having('a'), group: null })).resolves.toBe(0);
  await expect(database.count('operations', { namespace, nonce: present, type: not('token_transfer') })).resolves.toBe(
    0,
  );
  const isNumber: Refused<{ namespace: string; tag: number }, Where<'messages'>> = true;
  const isOtherWord: Refused<{ namespace: string; state: 'lost' }, Where<'messages'>> = true;
  const isNull: Refused<{ namespace: string; hash: null }, Where<'messages'>> = true;
  expect([isNumber, isOtherWord, isNull]).toEqual([true, true, true]);
});
