import { expect, test } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { identityUpdateTag } from '../../../../../src/domain/definition.js';
import { definitionTopic, systemNamespace } from '../../../../../src/domain/network/identity.js';
import { newMessageEvent } from '../../../../../src/pipeline/common/rows.js';
import { undoDefinitions } from '../../../../../src/pipeline/rebuild/messages/definitions.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import { aDataItem, aMessage, aPin } from '../../../../compliance/database/rows.js';
import { alice } from '../../../../support/fixtures.js';
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

/** The description of an identity after updates in this order of the chain, of which the last is taken back. */
async function descriptionAfter(...updates: readonly Update[]): Promise<string | null | undefined> {
  const database = createMemoryDatabase();
  const last = updates.at(-1);
  await database.transaction(async (unit) => {
    for (const { id, hash, name, confirmed } of updates) {
      const value = textOf({ did: identity, namespace: 'default', description: name });
      const item = aDataItem({ namespace: systemNamespace, id: name, value });
      const batch = { batch: name, batchHash: hash };
      await unit.insert('data', [item]);
      const message = aMessage({
        ...batch,
        namespace: systemNamespace,
        type: 'definition',
        tag: identityUpdateTag,
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

test('a profile is that of the last update on the chain that is left, whatever the clock showed', async () => {
  expect(await descriptionAfter(first, second, third)).toBe('second');
});

test('a profile keeps an update whose id the one that is taken back has used again', async () => {
  expect(await descriptionAfter(first, { ...third, id: first.id })).toBe('first');
});

test('a profile that no update is left of is gone', async () => {
  expect(await descriptionAfter(first)).toBeUndefined();
});
