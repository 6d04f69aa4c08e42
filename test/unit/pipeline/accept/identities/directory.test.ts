import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../../../src/pipeline/accept/identities/directory.js';
import type { Reader } from '../../../../../src/ports/database.js';
import { keyOf, registerCustom } from '../../../../support/registry.js';
import { aRegisteredDatabase, member } from '../messages/acceptance.js';

/** A directory, and how often it has asked the database. */
async function aScene() {
  const database = await aRegisteredDatabase();
  let asked = 0;
  const counting: Reader = {
    ...database,
    first(table, where, by) {
      asked++;
      return database.first(table, where, by);
    },
    rows(table, where, options) {
      asked++;
      return database.rows(table, where, options);
    },
  };
  return { database, directory: createDirectory(counting), asked: () => asked };
}

describe('the directory', () => {
  it('knows parties by name, DID and key, and no nodes', async () => {
    const { directory } = await aScene();
    const texts = ['bob', 'did:firefly:org/bob', keyOf(2).toUpperCase(), 'bob-desk', 'bob-node', 'nobody'];
    const parties = await directory.parties(texts);
    const bob = 'did:parley:org/bob';
    expect(texts.map((text) => parties(text)?.did)).toEqual([
      bob,
      bob,
      bob,
      'did:parley:bob-desk',
      undefined,
      undefined,
    ]);
  });

  it('asks once for what is there', async () => {
    const { directory, asked } = await aScene();
    const ask = async () => {
      await directory.parties(['bob', 'carol']);
      await directory.nodesOf([member('bob').identity]);
      await directory.keyOf(member('bob').identity);
    };
    await ask();
    const before = asked();
    await ask();
    expect(asked()).toBe(before);
  });

  it('asks again for what was not there', async () => {
    const { directory, database } = await aScene();
    expect((await directory.parties(['bob', 'carol-desk']))('carol-desk')).toBeUndefined();
    expect(await directory.keyOf('did:parley:carol-desk')).toBeUndefined();
    await registerCustom(database, { organization: 'carol', name: 'carol-desk', key: keyOf(0xca) });
    const parties = await directory.parties(['bob', 'carol-desk']);
    expect(['bob', 'carol-desk'].map((text) => parties(text)?.did)).toEqual([
      'did:parley:org/bob',
      'did:parley:carol-desk',
    ]);
    expect(await directory.keyOf('did:parley:carol-desk')).toBe(keyOf(0xca));
  });
});
