import { expect, it } from 'vitest';
import { storedKey } from '../../../../../src/domain/definition.js';
import { definitionTopic, systemNamespace } from '../../../../../src/domain/network/identity.js';
import { above } from '../../../../../src/ports/tables/where.js';
import { createRefuseUsedKey } from '../../../../../src/pipeline/accept/messages/used-keys.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { about } from '../../../../support/pipelines.js';
import { anAcceptance } from './acceptance.js';

const used = 'FF10430';
const message = (idempotencyKey: string | null) =>
  ({ type: 'broadcast', namespace: 'default', idempotencyKey }) as const;
const definition = (key: string) =>
  ({
    type: 'definition',
    namespace: systemNamespace,
    idempotencyKey: storedKey(definitionTopic('default'), key),
  }) as const;

it('looks up the keys of concurrent messages in one read, and nothing for a message without a key', async () => {
  const { database } = await anAcceptance();
  const reads: unknown[] = [];
  const refuse = createRefuseUsedKey({
    ...database,
    rows(table, where, options) {
      reads.push(where);
      return database.rows(table, where, options);
    },
  });
  await Promise.all(['a', 'b', 'c'].map((key) => refuse(message(key))));
  await (
    await refuse(message(null))
  )(database);
  expect(reads).toMatchObject([{ idempotencyKey: [...'abc'].flatMap((key) => [key, definition(key).idempotencyKey]) }]);
});

it('refuses a key that a message of the namespace or a definition for it has used', async () => {
  const { acceptMessage, acceptDefinition, database } = await anAcceptance();
  const refuse = createRefuseUsedKey(database);
  await acceptMessage('default', { ...about(['a'], 1), idempotencyKey: 'a' });
  await acceptDefinition({ tag: 't', topics: [definitionTopic('default')], value: '{}' as never, idempotencyKey: 'b' });
  const codes = ['a', 'b'].flatMap((key) => [message(key), definition(key), { ...message(key), namespace: 'other' }]);
  expect(await Promise.all(codes.map((each) => codeOfAsync(() => refuse(each))))).toEqual(
    ['a', 'b'].flatMap(() => [used, used, undefined]),
  );
});

it('refuses a key in the unit that was used after the first check, reading only newer messages', async () => {
  const { acceptMessage, database } = await anAcceptance();
  const refuse = createRefuseUsedKey(database);
  await acceptMessage('default', { ...about(['a'], 1), idempotencyKey: 'before' });
  const recheck = await refuse(message('k'));
  await database.transaction(recheck);
  await acceptMessage('default', { ...about(['a'], 2), idempotencyKey: 'k' });
  const asked: unknown[] = [];
  const check = database.transaction((unit) =>
    recheck({
      ...unit,
      rows(table, where, options) {
        asked.push(where);
        return unit.rows(table, where, options);
      },
    }),
  );
  expect(await codeOfAsync(() => check)).toBe(used);
  const [first] = await database.rows('messages', { namespace: 'default' }, { limit: 1 });
  expect(asked).toMatchObject([{ sequence: above(first?.sequence ?? 0) }]);
});

it('refuses a key in the unit that was used during the first check', async () => {
  const { acceptMessage, database } = await anAcceptance();
  const recheck = await createRefuseUsedKey({
    ...database,
    async rows(...query) {
      const rows = await database.rows(...query);
      await acceptMessage('default', { ...about(['a'], 1), idempotencyKey: 'k' });
      return rows;
    },
  })(message('k'));
  expect(await codeOfAsync(() => database.transaction(recheck))).toBe(used);
});
