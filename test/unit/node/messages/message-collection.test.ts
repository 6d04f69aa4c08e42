import { expect, test } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { storedKey } from '../../../../src/domain/definition.js';
import { systemNamespace } from '../../../../src/domain/network/identity.js';
import { messageCollection } from '../../../../src/node/messages/message-collection.js';
import type { Database } from '../../../../src/ports/database.js';
import { fields } from '../../../../src/wire/lists/fields.js';
import { readFilter } from '../../../../src/wire/lists/filter.js';
import { oldestFirst, type Sort } from '../../../../src/wire/lists/query.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { aMessage } from '../../../compliance/database/rows.js';
import { uuid } from '../../../support/fixtures.js';

const namespace = 'default';
/** The numbers of the definitions; the other numbers up to nine are messages of the namespace. */
const definitions = [2, 5, 6];
const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const idOf = new Map(numbers.map((n) => [uuid(n), n]));

/** Creates nine messages, three of them definitions, each a second after the previous one. */
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

test.each([false, true])('every page has the right messages and definitions (descending: %s)', async (descending) => {
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

/** Keys in order: even numbers belong to definitions, odd ones to messages. */
const keys = ['svc_ns_key', 'svc_ns_key', 'a Svc', 'a Svc', 'ns_default b', 'ns_default b', 'c', 'C', null, null];

async function keyedCollection() {
  const database = createMemoryDatabase();
  const rows = keys.map((key, n) => {
    const row = { ...aMessage(), id: uuid(n), hash: `${n}`, idempotencyKey: key };
    if (n % 2 === 1) return row;
    const idempotencyKey = key === null ? null : storedKey('svc_ns_default', key);
    return {
      ...row,
      idempotencyKey,
      namespace: systemNamespace,
      type: 'definition' as const,
      topics: ['svc_ns_default'],
    };
  });
  await database.transaction((unit) => unit.insert('messages', rows));
  return messageCollection(database, (found) =>
    Promise.resolve(found.map(({ id }) => ({ header: { id } }) as Message)),
  );
}

test.each<[string, string[], readonly number[]]>([
  ['equal', ['a Svc'], [2, 3]],
  ['equal to the stored text', ['svc_ns_default a Svc'], []],
  ['equal but for case', [':=A sVC'], [2, 3]],
  ['one of several', ['a Svc', 'C'], [2, 3, 7]],
  ['not equal', ['!a Svc'], [0, 1, 4, 5, 6, 7, 8, 9]],
  ['containing', ['@svc'], [0, 1]],
  ['containing, but for case', [':@svc'], [0, 1, 2, 3]],
  ['not containing', ['!@svc'], [2, 3, 4, 5, 6, 7, 8, 9]],
  ['not containing, but for case', ['!:@svc'], [4, 5, 6, 7, 8, 9]],
  ['containing a space', ['@ '], [2, 3, 4, 5]],
  ['beginning with', ['^ns_default'], [4, 5]],
  ['beginning with, but for case', [':^NS_default'], [4, 5]],
  ['not beginning with', ['!^ns_default'], [0, 1, 2, 3, 6, 7, 8, 9]],
  ['ending with', ['$b'], [4, 5]],
  ['ending with more than a key', ['$default c'], []],
  ['ending with, but for case', [':$C'], [2, 3, 6, 7]],
  ['not ending with', ['!$ns_default b'], [0, 1, 2, 3, 6, 7, 8, 9]],
  ['above', ['>b'], [0, 1, 4, 5, 6]],
  ['at most', ['<=a Svc'], [2, 3, 7]],
  ['empty', ['?'], [8, 9]],
  ['not empty', ['!?'], [0, 1, 2, 3, 4, 5, 6, 7]],
  ['both', ['[@_', '$y'], [0, 1]],
])('a filter by keys %s compares the keys as they were given', async (_, values, expected) => {
  const collection = await keyedCollection();
  const where = [readFilter('idempotencykey', fields.messages.idempotencykey, values)];
  const listed = async (of: string) => {
    const request = { namespace: of, where, sort: oldestFirst, skip: 0, limit: 25, flags: new Map(), isSingle: false };
    const ids = (await collection.page(request)).map(({ header }) =>
      keys.findIndex((_key, n) => uuid(n) === header.id),
    );
    expect(await collection.count({ namespace: of, where })).toBe(ids.length);
    return ids;
  };
  expect(await listed(namespace)).toEqual(expected);
  expect(await listed(systemNamespace)).toEqual(expected.filter((n) => n % 2 === 0));
});
