import { expect, test } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { systemNamespace } from '../../../../src/domain/network/identity.js';
import { messageCollection } from '../../../../src/node/messages/message-collection.js';
import type { Database } from '../../../../src/ports/database.js';
import type { Sort } from '../../../../src/wire/lists/query.js';
import { aMessage } from '../../../compliance/database/rows.js';
import { uuid } from '../../../support/fixtures.js';

const namespace = 'default';
/** The numbers of the definitions; the other numbers up to nine are messages of the namespace. */
const definitions = [2, 5, 6];
const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const idOf = new Map(numbers.map((n) => [uuid(n), n]));

/** Nine messages, of which three are definitions, each a second after the one before. */
async function aCollection() {
  const memory = createMemoryDatabase();
  const rows = numbers.map((n) => {
    const time = `2026-01-15T10:00:0${n}.000Z`;
    const row = { ...aMessage(), id: uuid(n), created: time, rank: time, state: 'confirmed' as const, confirmed: time };
    if (!definitions.includes(n)) return row;
    return { ...row, namespace: systemNamespace, type: 'definition' as const, topics: ['svc_ns_default'] };
  });
  await memory.transaction((unit) => unit.insert('messages', rows));
  const limits: number[] = [];
  const find: Database['lists']['find'] = (table, query) => {
    if (query.namespace === systemNamespace) limits.push(query.limit);
    return memory.lists.find(table, query);
  };
  let shown: readonly (number | undefined)[] = [];
  const collection = messageCollection({ ...memory, lists: { ...memory.lists, find } }, (found) => {
    shown = found.map(({ id }) => idOf.get(id));
    return Promise.resolve([]);
  });
  const page = async (sort: readonly Sort[], skip: number, limit: number) => {
    await collection.page({ namespace, where: [], sort, skip, limit, flags: new Map(), isSingle: false });
    return shown;
  };
  return { collection, page, limits };
}

test.each([false, true])('every page has its part of messages and definitions (descending: %s)', async (descending) => {
  const { collection, page, limits } = await aCollection();
  const all = descending ? numbers.toReversed() : numbers;
  for (const sort of [[{ field: 'rank', descending }], [{ field: 'sequence', descending }]]) {
    for (let skip = 0; skip <= all.length; skip += 1) {
      for (let limit = 1; limit <= all.length; limit += 1) {
        expect([skip, limit, await page(sort, skip, limit)]).toEqual([skip, limit, all.slice(skip, skip + limit)]);
        expect(limits.at(-1)).toBeLessThanOrEqual(skip + limit);
      }
    }
  }
  expect(await collection.count({ namespace, where: [] })).toBe(all.length);
});
