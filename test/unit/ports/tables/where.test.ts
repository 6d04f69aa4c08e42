import { expect, expectTypeOf, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { every, having, not, present, type Test, type Where } from '../../../../src/ports/tables/where.js';

const database = createMemoryDatabase();
const limit = 10;

it('a selection names its namespace, or every, or identifies a row', async () => {
  await expect(database.rows('messages', { namespace: 'default' }, { limit })).resolves.toEqual([]);
  await expect(database.rows('messages', { namespace: every, state: 'ready' }, { limit })).resolves.toEqual([]);
  await expect(database.first('messages', { sequence: 1 })).resolves.toBeUndefined();
  await expect(database.first('batches', { id: 'a', hash: 'b', signer: 'c' })).resolves.toBeUndefined();
  await expect(database.has('pins', { spent: false })).resolves.toBe(false);
  // The compiler checks these, in `npm run check`.
  expectTypeOf<{ state: 'ready' }>().not.toExtend<Where<'messages'>>();
  expectTypeOf<{ id: string }>().not.toExtend<Where<'messages'>>();
  expectTypeOf<{ sequence: Test<number> }>().not.toExtend<Where<'events'>>();
});

it('a selection takes only values that a column can have', async () => {
  const namespace = 'default';
  await expect(database.count('messages', { namespace, topics: having('a'), group: null })).resolves.toBe(0);
  await expect(database.count('operations', { namespace, nonce: present, type: not('token_transfer') })).resolves.toBe(
    0,
  );
  expectTypeOf<{ namespace: string; tag: number }>().not.toExtend<Where<'messages'>>();
  expectTypeOf<{ namespace: string; state: 'lost' }>().not.toExtend<Where<'messages'>>();
  expectTypeOf<{ namespace: string; hash: null }>().not.toExtend<Where<'messages'>>();
});
