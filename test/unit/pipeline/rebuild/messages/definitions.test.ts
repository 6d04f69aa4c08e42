import { expect, test } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { apiTag, identityUpdateTag } from '../../../../../src/domain/definition.js';
import { definitionTopic, systemNamespace } from '../../../../../src/domain/network/identity.js';
import { newMessageEvent } from '../../../../../src/pipeline/state/events/event-row.js';
import { undoDefinitions } from '../../../../../src/pipeline/rebuild/messages/definitions.js';
import type { Unit } from '../../../../../src/ports/database.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import { aDataItem, aMessage, aPin } from '../../../../compliance/database/rows.js';
import { alice, uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';

const identity = 'did:parley:desk';
const topic = definitionTopic('default');

interface Update {
  readonly id: string;
  readonly hash: string;
  /** Also the description that it sets. */
  readonly name: string;
  readonly confirmed: string;
}

const first = { id: 'a', hash: '1'.repeat(64), name: 'first', confirmed: '2026-01-15T12:00:00.000Z' };
const second = { id: 'b', hash: '2'.repeat(64), name: 'second', confirmed: '2026-01-15T11:00:00.000Z' };
const third = { id: 'c', hash: '3'.repeat(64), name: 'third', confirmed: '2026-01-15T13:00:00.000Z' };

/** Inserts a confirmed definition with its item, event and pin. */
async function insertDefinition(unit: Unit, tag: string, update: Update, value: object): Promise<void> {
  const { id, hash, name, confirmed } = update;
  const item = aDataItem({ namespace: systemNamespace, id: name, value: textOf(value) });
  const batch = { batch: name, batchHash: hash };
  await unit.insert('data', [item]);
  const message = aMessage({
    ...batch,
    namespace: systemNamespace,
    type: 'definition',
    tag,
    topics: [topic],
    data: [{ id: item.id, hash: item.hash, seal: item.seal }],
    state: 'confirmed',
    id,
    hash,
    confirmed,
  });
  await unit.insert('messages', [message]);
  const event = { state: 'confirmed' as const, tx: name, created: confirmed };
  await unit.insert('events', [newMessageEvent(message, { ...event, id: name })]);
  await unit.insert('pins', [aPin({ ...batch, context: aMessage().pins?.[0] ?? '', spent: true })]);
}

/** Returns the description of an identity after these updates, in the order of the chain; the last one is undone. */
async function descriptionAfter(...updates: readonly Update[]): Promise<string | null | undefined> {
  const database = createMemoryDatabase();
  const last = updates.at(-1);
  await database.transaction(async (unit) => {
    for (const update of updates) {
      const value = { did: identity, namespace: 'default', description: update.name };
      await insertDefinition(unit, identityUpdateTag, update, value);
    }
    const row = { namespace: 'default', identity, profile: null, claim: 'a', updated: third.confirmed };
    await unit.insert('profiles', [{ ...row, description: last?.name ?? null, message: last?.id ?? '' }]);
  });
  const pins = (await rowsOf(database, 'pins')).slice(-1).map(({ sequence }) => sequence);
  const messages = (await rowsOf(database, 'messages')).filter(({ hash }) => hash === last?.hash);
  await database.transaction((unit) =>
    undoDefinitions(unit, messages, { own: { keys: [alice.key] }, pins: new Set(pins) }),
  );
  return (await rowsOf(database, 'profiles'))[0]?.description;
}

test('a profile has the last remaining update in the order of the chain, not of time', async () => {
  expect(await descriptionAfter(first, second, third)).toBe('second');
});

test('a profile keeps an update with the same id as the one that is undone', async () => {
  expect(await descriptionAfter(first, { ...third, id: first.id })).toBe('first');
});

test('a profile without a remaining update is removed', async () => {
  expect(await descriptionAfter(first)).toBeUndefined();
});

/** Undoes the newest definition of each of these APIs; returns their rows and the number of reads of definitions. */
async function apisAfter(count: number, definitions: number) {
  const database = createMemoryDatabase();
  await database.transaction(async (unit) => {
    for (let place = 0; place < count * definitions; place += 1) {
      const [api, id] = [place % count, uuid(place)];
      const name = `api-${api}`;
      const update = { id, hash: id.replaceAll('-', '').padEnd(64, '0'), name: `item-${place}` };
      const shared = { namespace: 'default', id: uuid(10_000 + api), name };
      const value = { ...shared, interface: { id: uuid(20_000 + place) } };
      await insertDefinition(unit, apiTag, { ...update, confirmed: first.confirmed }, value);
      if (place < count * (definitions - 1)) continue;
      const row = { networkName: name, interface: value.interface.id, location: null, published: true };
      await unit.insert('apis', [{ ...shared, ...row, message: id, pin: place + 1 }]);
    }
  });
  const pins = (await rowsOf(database, 'pins')).slice(-count).map(({ sequence }) => sequence);
  const messages = (await rowsOf(database, 'messages')).slice(-count);
  let reads = 0;
  await database.transaction((unit) => {
    const rows: Unit['rows'] = (table, ...rest) => {
      reads += table === 'messages' ? 1 : 0;
      return unit.rows(table, ...rest);
    };
    return undoDefinitions({ ...unit, rows }, messages, { own: { keys: [] }, pins: new Set(pins) });
  });
  return { rows: await rowsOf(database, 'apis'), reads };
}

test('an API has the last remaining definition on the chain, with its pin', async () => {
  const { rows } = await apisAfter(3, 3);
  const interfaces = [3, 4, 5].map((place) => [uuid(20_000 + place), uuid(place), place + 1]);
  expect(rows.map((row) => [row.interface, row.message, row.pin])).toEqual(interfaces);
});

test('an API without a remaining definition is removed', async () => {
  expect((await apisAfter(3, 1)).rows).toEqual([]);
});

test('earlier definitions are read once for any number of APIs', async () => {
  const { reads } = await apisAfter(1, 2);
  expect(reads).toBeGreaterThan(0);
  expect((await apisAfter(20, 2)).reads).toBe(reads);
});
