import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { cancelMessages, releaseMessages, restageMessages } from '../../../../../src/pipeline/state/messages/staged.js';
import type { MessageRow } from '../../../../../src/ports/tables/tables.js';
import { compact } from '../../../../../src/wire/json/json-reader.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { anAcceptance } from '../../accept/messages/acceptance.js';

const parent = { type: 'token_transfer', id: uuid(7) } as const;
const place = { namespace: 'default', now: '2026-01-15T10:00:05.000Z' };
const random = createSeededRandom(2);
const data = [{ value: compact('1') }];

/** Creates a database with a message that waits for an operation. */
async function aStagedMessage() {
  const { prepareStaged, database, ...rest } = await anAcceptance();
  const { message, store } = await prepareStaged('default', { data }, parent);
  const bells = await database.transaction(store);
  const row = async (): Promise<MessageRow | undefined> => (await rowsOf(database, 'messages'))[0];
  return { ...rest, database, message, bells, row };
}

describe('a message that waits for an operation', () => {
  it('is staged, names the transaction in its header, and rings no bell', async () => {
    const { message, bells, row } = await aStagedMessage();
    expect(message).toMatchObject({ state: 'staged', header: { type: 'broadcast', txparent: parent } });
    expect(await row()).toMatchObject({ state: 'staged', parentType: parent.type, parentId: parent.id });
    expect(bells).toEqual([]);
  });

  it('is ready after the operation has succeeded', async () => {
    const { database, row } = await aStagedMessage();
    const bells = await database.transaction((unit) => releaseMessages(unit, parent, { ...place, random }));
    expect(bells).toEqual(['messages']);
    expect(await row()).toMatchObject({ state: 'ready', confirmed: null });
  });

  it('is cancelled after the operation has failed, without a time of decision', async () => {
    const { database, row } = await aStagedMessage();
    const bells = await database.transaction((unit) => cancelMessages(unit, parent, place));
    expect(bells).toEqual(['cancellations']);
    expect(await row()).toMatchObject({ state: 'cancelled', confirmed: null });
  });

  it('is not released after it was cancelled', async () => {
    const { database, row } = await aStagedMessage();
    await database.transaction((unit) => cancelMessages(unit, parent, place));
    expect(await database.transaction((unit) => releaseMessages(unit, parent, { ...place, random }))).toEqual([]);
    expect(await row()).toMatchObject({ state: 'cancelled' });
  });

  it('is staged again, as before, when the operation is retried', async () => {
    const { database, row } = await aStagedMessage();
    const before = await row();
    await database.transaction((unit) => cancelMessages(unit, parent, place));
    await database.transaction((unit) => restageMessages(unit, 'default', parent));
    expect(await row()).toEqual(before);
  });

  it('is not released by another transaction', async () => {
    const { database, row } = await aStagedMessage();
    const other = { ...parent, id: uuid(8) };
    expect(await database.transaction((unit) => releaseMessages(unit, other, { ...place, random }))).toEqual([]);
    expect(await row()).toMatchObject({ state: 'staged' });
  });
});
