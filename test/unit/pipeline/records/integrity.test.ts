import { describe, expect, it } from 'vitest';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { hashOfHeader, hashOfReferences } from '../../../../src/domain/hash.js';
import { createIntegrity } from '../../../../src/pipeline/records/integrity.js';
import { embeddedMessage } from '../../../../src/pipeline/records/message-shape.js';
import { headerOf } from '../../../../src/pipeline/records/records.js';
import type { NewRow } from '../../../../src/ports/tables/tables.js';
import { aMessage } from '../../../compliance/database/rows.js';
import { createDisk } from '../../../support/disk.js';

const id = '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01';

/** Returns a row with correct hashes. */
function sealed(values: Partial<NewRow<'messages'>>): NewRow<'messages'> {
  const row = aMessage({ id, ...values });
  const header = { ...row, datahash: hashOfReferences(row.data) };
  return { ...header, hash: hashOfHeader(headerOf({ sequence: 1, ...header })) };
}

const rows: readonly (readonly [string, Partial<NewRow<'messages'>>])[] = [
  ['of one topic', {}],
  ['of several topics and a tag', { topics: ['orders', 'topic', 'a.b-c_d'], tag: 'topics' }],
  ['of a group, with a reference', { type: 'private', group: 'cd'.repeat(32), cid: id, data: [] }],
  ['of a transfer', { parentType: 'token_transfer', parentId: id, idempotencyKey: '","topic":["x"],"topics":' }],
];

describe.each(['memory', 'SQLite'] as const)('a message embedded by %s', (kind) => {
  it.each(rows)('matches its hash unless it is changed: a message %s', async (_, values) => {
    const disk = await createDisk(kind);
    const database = await disk.open();
    const row = sealed(values);
    await database.transaction((unit) => unit.insert('messages', [row]));
    const [text] = await database.texts('messages', embeddedMessage, ['id'], [{ id }]);
    const integrity = createIntegrity({ log: createSilentLog() });
    if (text === undefined) throw new Error('The message is missing.');
    expect(integrity.damageOfText(text, row)).toBeUndefined();
    const { tag, topics, author } = row;
    const write = (values: Partial<NewRow<'messages'>>) =>
      database.transaction((unit) => unit.update('messages', { namespace: 'default' }, values));
    for (const changes of [{ tag: 'paid' }, { topics: ['others'] }, { author: 'did:parley:org/mallory' }]) {
      await write(changes);
      const [changed] = await database.texts('messages', embeddedMessage, ['id'], [{ id }]);
      expect(changed !== undefined && integrity.damageOfText(changed, row)?.code).toBe('PY1019');
      await write({ tag, topics, author });
    }
    expect(integrity.count()).toBe(1);
    await disk.remove();
  });
});

it('a message is damaged if its data differ from the hash in its header', () => {
  const integrity = createIntegrity({ log: createSilentLog() });
  const row = { sequence: 1, ...sealed({}) };
  integrity.requireMessage(row);
  const other = [{ id, hash: 'ef'.repeat(32), seal: '' }];
  expect(() => integrity.requireMessage({ ...row, data: other })).toThrow(/PY1019/);
});
