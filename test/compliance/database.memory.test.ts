import { expect, it } from 'vitest';
import { createMemoryDatabase, createMemoryState } from '../../src/adapters/database/memory/memory.js';
import { describeDatabase } from './database.js';
import { aDue, all } from './database/rows.js';

describeDatabase('memory', async () => {
  const state = createMemoryState();
  return {
    database: createMemoryDatabase(state),
    reopen: async () => createMemoryDatabase(state),
    dispose: async () => undefined,
  };
});

it('a crash keeps committed rows, drops writes of an open unit, and disables the old object', async () => {
  const state = createMemoryState();
  const old = createMemoryDatabase(state);
  await old.transaction((unit) => unit.insert('due', [aDue('committed')]));
  let resume: (() => void) | undefined;
  const pending = old.transaction(async (unit) => {
    await unit.insert('due', [aDue('lost')]);
    await new Promise<void>((resolve) => (resume = resolve));
    await unit.insert('due', [aDue('late')]);
  });
  while (!resume) await Promise.resolve();
  const next = createMemoryDatabase(state);
  resume();
  await expect(pending).rejects.toThrow();
  await expect(old.rows('due', {}, all)).rejects.toThrow();
  await expect(old.transaction(async () => 1)).rejects.toThrow();
  expect(await next.rows('due', {}, all)).toEqual([{ ...aDue('committed'), sequence: 1 }]);
});
