import { expect, test } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { beginWithReplaced } from '../../../../src/pipeline/rebuild/listeners.js';
import { every } from '../../../../src/ports/tables/where.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { aListener } from '../../../support/listeners.js';
import { uuid } from '../../../support/fixtures.js';

test('only a listener for the newest events that began later begins with the replaced blocks', async () => {
  const database = createMemoryDatabase();
  const begins: readonly (readonly [firstEvent: string, firstBlock: number | null])[] = [
    ['newest', 29],
    ['newest', 21],
    ['newest', null],
    ['oldest', 0],
    ['40', 40],
  ];
  await database.transaction(async (unit) => {
    const rows = begins.map(([firstEvent, firstBlock], number) => {
      return aListener({ id: uuid(number), name: `listener-${number}`, options: textOf({ firstEvent }), firstBlock });
    });
    await unit.insert('listeners', rows);
    await beginWithReplaced(unit, 22);
  });
  const rows = await database.rows('listeners', { namespace: every }, { limit: 10 });
  expect(rows.map(({ firstBlock }) => firstBlock)).toEqual([22, 21, null, 0, 40]);
});
