import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../../../src/pipeline/accept/identities/directory.js';
import type { Reader } from '../../../../../src/ports/database.js';
import { keyOf, registerCustom } from '../../../../support/registry.js';
import { aRegisteredDatabase, member } from '../messages/acceptance.js';

/** Creates a directory that counts its reads of the database. */
async function aScene() {
  const database = await aRegisteredDatabase();
  let reads = 0;
  const counting: Reader = {
    ...database,
    first(table, where, by) {
      reads++;
      return database.first(table, where, by);
    },
    rows(table, where, options) {
      reads++;
      return database.rows(table, where, options);
    },
  };
  return { database, directory: createDirectory(counting), reads: () => reads };
}

describe('the directory', () => {
  it('finds parties by name, DID and key, and no nodes', async () => {
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

  it('reads an identity once', async () => {
    const { directory, reads } = await aScene();
    const readAll = async () => {
      await directory.parties(['bob', 'carol']);
      await directory.nodesOf([member('bob').identity]);
      await directory.keyOf(member('bob').identity);
    };
    await readAll();
    const before = reads();
    await readAll();
    expect(reads()).toBe(before);
  });

  it('reads again for an identity that it did not find', async () => {
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
