import { chmod, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deriveAccounts, laterAddresses } from '../../../../src/stack/keys/accounts.js';
import {
  certificateFiles,
  checkKeys,
  createKeys,
  importSigningKey,
  newPrivateKey,
  readUserKey,
  operatorKeyFile,
  signingKeyFile,
  spareKeyFiles,
} from '../../../../src/stack/keys/keys.js';
import { createWalletKey } from '../../../../src/stack/keys/wallet.js';
import { aDirectory } from '../../supervisor/fixtures/plans.js';
import { aLayout, aPlace, someSettings } from '../fixtures/place.js';

describe('The keys of a stack', () => {
  test('are private files with any umask', async () => {
    const before = process.umask(0);
    onTestFinished(() => {
      process.umask(before);
    });
    const { layout, settings } = await created();
    const nodeKeys = ['alice', 'bob'].map((name) => certificateFiles(layout, name).keyFile);
    const accounts = [operatorKeyFile(layout), signingKeyFile(layout, 'alice'), ...spareKeyFiles(layout, 'bob', 5)];
    const files = [...accounts, ...nodeKeys];
    for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const directory of [layout.keys, join(layout.keys, 'alice')]) {
      expect((await stat(directory)).mode & 0o777).toBe(0o700);
    }
    await expect(checkKeys(layout, settings)).resolves.toBeUndefined();
  });

  test('may be copied from files that the definition names, which are needed only once', async () => {
    const layout = aLayout(aPlace());
    const keyFile = join(aDirectory(), 'alice.key');
    const key = newPrivateKey();
    const [alice, ...others] = someSettings().parties;
    if (alice === undefined) throw new Error('There is no party.');
    const settings = { ...someSettings(), parties: [{ ...alice, keyFile }, ...others] };
    await createKeys(layout, settings);
    await expect(checkKeys(layout, settings)).rejects.toMatchObject({ code: 'KEY_INVALID' });
    await writeFile(keyFile, `${key}\n`, { mode: 0o644 });
    await expect(createKeys(layout, settings)).rejects.toMatchObject({ code: 'KEY_NOT_PRIVATE' });
    await chmod(keyFile, 0o600);
    await createKeys(layout, settings);
    await checkKeys(layout, settings);
    expect((await readFile(signingKeyFile(layout, alice.name), 'utf8')).trim()).toBe(key);
    await writeFile(keyFile, newPrivateKey());
    await expect(createKeys(layout, settings)).rejects.toMatchObject({ code: 'NAME_EXISTS' });
    await rm(keyFile);
    await createKeys(layout, settings);
    await checkKeys(layout, settings);
  });

  test('are never replaced', async () => {
    const { layout, settings } = await created();
    const { keyFile, certificateFile } = certificateFiles(layout, 'alice');
    const files = [operatorKeyFile(layout), keyFile, certificateFile];
    const read = () => Promise.all(files.map((file) => readFile(file, 'utf8')));
    const before = await read();
    await createKeys(layout, settings);
    expect(await read()).toEqual(before);
  });

  test('differ between stacks, unless their source is test', async () => {
    const keyOf = async (...lines: string[]): Promise<string> => {
      const { layout } = await created(...lines);
      return readFile(operatorKeyFile(layout), 'utf8');
    };
    expect(await keyOf()).not.toBe(await keyOf());
    expect(await keyOf('keys: {source: test}')).toBe(await keyOf('keys: {source: test}'));
  });

  test('may be imported for a party that has none', async () => {
    const { layout, settings } = await created();
    const file = join(layout.directory, 'mine');
    await expect(readUserKey(file)).rejects.toMatchObject({ code: 'KEY_INVALID' });
    await writeFile(file, '0x12');
    await expect(readUserKey(file)).rejects.toMatchObject({ code: 'KEY_INVALID' });
    await writeFile(file, `0x${'12'.repeat(32)}\n`);
    const key = await readUserKey(file);
    await importSigningKey(layout, 'dave', key);
    await importSigningKey(layout, 'dave', key);
    await createKeys(layout, { ...settings, parties: [{ name: 'dave', organization: 'dave', node: 'dave-node' }] });
    expect(await readFile(signingKeyFile(layout, 'dave'), 'utf8')).toBe(`${key}\n`);
    await expect(importSigningKey(layout, 'alice', key)).rejects.toMatchObject({ code: 'NAME_EXISTS' });
  });

  test('all have different addresses', async () => {
    const { layout, settings } = await created('keys: {source: test}');
    const { operator, parties } = await deriveAccounts(layout, settings);
    const all = [operator, ...Object.values(parties).flatMap(({ signing, spare }) => [signing, ...spare])];
    expect(new Set(all).size).toBe(1 + 2 * 6);
  });

  test('of a wallet are accounts too, and must be private', async () => {
    const { layout, settings } = await created();
    const before = await deriveAccounts(layout, settings);
    const { address, keyFile } = await createWalletKey({ layout }, 'bob', undefined);
    const after = await deriveAccounts(layout, settings);
    expect([before.parties['bob']?.wallet, after.parties['bob']?.wallet]).toEqual([[], [address]]);
    const genesis = { chainId: 1, genesisTime: '', accounts: [] };
    expect(laterAddresses(after, genesis)).toContain(address);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    await chmod(keyFile, 0o640);
    await expect(checkKeys(layout, settings)).rejects.toMatchObject({ code: 'KEY_NOT_PRIVATE' });
  });

  test.each([0o640, 0o604, 0o660])('are refused with mode %o', async (mode) => {
    const { layout, settings } = await created();
    await chmod(signingKeyFile(layout, 'alice'), mode);
    await expect(checkKeys(layout, settings)).rejects.toMatchObject({ code: 'KEY_NOT_PRIVATE' });
  });

  test('are refused if others may read the key of a certificate', async () => {
    const { layout, settings } = await created();
    await chmod(certificateFiles(layout, 'bob').keyFile, 0o644);
    await expect(checkKeys(layout, settings)).rejects.toMatchObject({ code: 'KEY_NOT_PRIVATE' });
  });

  test('are refused in a directory that others can read', async () => {
    const { layout, settings } = await created();
    await chmod(join(layout.keys, 'alice'), 0o755);
    await expect(checkKeys(layout, settings)).rejects.toMatchObject({ code: 'KEY_NOT_PRIVATE' });
  });

  test('are refused if one is a symbolic link', async () => {
    const { layout, settings } = await created();
    const file = operatorKeyFile(layout);
    await rename(file, `${file}.moved`);
    await symlink(`${file}.moved`, file);
    await expect(checkKeys(layout, settings)).rejects.toMatchObject({ code: 'KEY_NOT_PRIVATE' });
  });

  test('are refused if one is invalid or missing', async () => {
    const { layout, settings } = await created();
    const file = signingKeyFile(layout, 'bob');
    await writeFile(file, `0x${'0'.repeat(64)}\n`);
    await expect(checkKeys(layout, settings)).rejects.toMatchObject({ code: 'KEY_INVALID' });
    await rm(file);
    await expect(checkKeys(layout, settings)).rejects.toMatchObject({ code: 'KEY_INVALID' });
  });
});

async function created(...lines: string[]) {
  const layout = aLayout(aPlace());
  const settings = someSettings(...lines);
  await createKeys(layout, settings);
  return { layout, settings };
}
