import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { findWaiting } from '../../../../../src/pipeline/state/messages/contexts.js';

const since = '2026-01-15T10:00:00.000Z';

it('finds all contexts that wait for a condition, however many there are', async () => {
  const database = createMemoryDatabase();
  const many = Array.from({ length: 20_001 }, (_, i) => ({
    namespace: 'ff_system',
    context: `c${i}`,
    on: i % 2 === 0 ? 'blob:a' : 'blob:b',
    since,
  }));
  const found = await database.transaction(async (unit) => {
    await unit.insert('waits', many);
    return { all: await findWaiting(unit), a: await findWaiting(unit, ['blob:a']) };
  });
  expect(found.all.size).toBe(20_001);
  expect(found.a.size).toBe(10_001);
  expect(found.a.has('c20000')).toBe(true);
});
