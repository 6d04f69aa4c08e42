import { expect, test } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { otherId } from '../../../../../src/pipeline/aggregate/define/local-name.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';

test('each local record that gives way to the same definition gets an id of its own, as after rebuilds', async () => {
  const database = createMemoryDatabase();
  const taken = { namespace: 'default', id: uuid(11) };
  for (const name of ['first', 'second', 'third']) {
    await database.transaction(async (unit) => {
      const local = { interface: uuid(12), location: null, message: null, networkName: null, published: false };
      await unit.insert('apis', [{ ...taken, name, ...local, pin: null }]);
      await unit.update('apis', taken, { id: await otherId(unit, 'apis', { ...taken, hash: 'ab'.repeat(32) }) });
    });
  }
  const ids = (await rowsOf(database, 'apis')).map(({ id }) => id);
  expect(new Set([...ids, taken.id]).size).toBe(4);
});
