import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readCredentials } from '../../../../src/node/requests/credentials.js';
import { checkKeys, createKeys } from '../../../../src/stack/keys/keys.js';
import type { Layout } from '../../../../src/stack/layout.js';
import { chainConfig, nodeConfig, storeConfig } from '../../../../src/stack/running/node-config.js';
import { credentialsFile, readToken, tokenFile } from '../../../../src/stack/keys/tokens.js';
import { aLayout, aPlace, someSettings } from '../fixtures/place.js';

const on = someSettings('auth: {enabled: true}');

async function aStack(settings = on): Promise<Layout> {
  const layout = aLayout(aPlace());
  await createKeys(layout, settings);
  return layout;
}

async function tokenOf(layout: Layout, party: string): Promise<string> {
  return (await readFile(tokenFile(layout, party), 'utf8')).trim();
}

describe('The tokens of a stack', () => {
  test('exist only with auth, one of 256 bits for each party', async () => {
    expect(await readToken(await aStack(someSettings()), 'alice')).toBeUndefined();
    const layout = await aStack();
    const tokens = [await tokenOf(layout, 'alice'), await tokenOf(layout, 'bob')];
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(new Set(tokens).size).toBe(2);
    expect(await readToken(layout, 'alice')).toBe(tokens[0]);
  });

  test('of chain and store differ, and configurations name only their files', async () => {
    const layout = await aStack();
    const [chain, store] = [await tokenOf(layout, 'chain'), await tokenOf(layout, 'store')];
    expect(new Set([chain, store, await tokenOf(layout, 'alice')]).size).toBe(3);
    const party = on.parties[0] ?? { name: '', organization: '', node: '' };
    const genesis = { chainId: 1, genesisTime: '', accounts: [] };
    const configs = JSON.stringify([
      chainConfig(layout, on, genesis, undefined),
      storeConfig(layout, on, undefined),
      nodeConfig(layout, on, party, undefined),
    ]);
    for (const file of [tokenFile(layout, 'chain'), tokenFile(layout, 'store')]) {
      expect(configs.split(file)).toHaveLength(3);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    for (const token of [chain, store]) expect(configs).not.toContain(token);
    await chmod(tokenFile(layout, 'store'), 0o644);
    await expect(checkKeys(layout, on)).rejects.toThrow(/0644/);
    const off = someSettings();
    expect(JSON.stringify(chainConfig(layout, off, genesis, undefined))).not.toContain('tokenFile');
  });

  test('are private files with any umask, and no temporary file stays', async () => {
    const before = process.umask(0);
    onTestFinished(() => {
      process.umask(before);
    });
    const layout = await aStack();
    for (const path of [tokenFile(layout, 'alice'), credentialsFile(layout, 'alice')]) {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
    expect((await readdir(`${layout.keys}/alice`)).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  test('are known to their own node, by their hashes', async () => {
    const layout = await aStack();
    for (const party of ['alice', 'bob']) {
      const sha256 = createHash('sha256')
        .update(await tokenOf(layout, party))
        .digest();
      const expected = [{ name: party, secret: { kind: 'token', sha256 }, namespaces: undefined }];
      expect(await readCredentials(credentialsFile(layout, party))).toEqual(expected);
    }
    const config = JSON.stringify(
      nodeConfig(layout, on, on.parties[0] ?? { name: '', organization: '', node: '' }, undefined),
    );
    expect(config).toContain(credentialsFile(layout, 'alice'));
    expect(config).not.toContain(await tokenOf(layout, 'alice'));
  });

  test('stay unchanged, with the entries that the user has added', async () => {
    const layout = await aStack();
    const token = await tokenOf(layout, 'alice');
    const file = credentialsFile(layout, 'alice');
    const more = { name: 'ci', sha256: 'ab'.repeat(32), namespaces: ['default'] };
    const { version, credentials } = JSON.parse(await readFile(file, 'utf8')) as { version: 1; credentials: unknown[] };
    await writeFile(file, JSON.stringify({ version, credentials: [...credentials, more] }));
    await createKeys(layout, on);
    expect(await tokenOf(layout, 'alice')).toBe(token);
    expect((await readCredentials(file)).map(({ name }) => name)).toEqual(['alice', 'ci']);
  });

  test('are created again if they are deleted, and the old one is no longer valid', async () => {
    const layout = await aStack();
    const [old] = await readCredentials(credentialsFile(layout, 'alice'));
    await rm(tokenFile(layout, 'alice'));
    await createKeys(layout, on);
    const [now, ...others] = await readCredentials(credentialsFile(layout, 'alice'));
    expect(others).toEqual([]);
    expect(now?.secret).not.toEqual(old?.secret);
  });

  test.each([tokenFile, credentialsFile])('are refused if others may read the file: %o', async (fileOf) => {
    const layout = await aStack();
    await chmod(fileOf(layout, 'bob'), 0o644);
    await expect(checkKeys(layout, on)).rejects.toMatchObject({ code: 'KEY_NOT_PRIVATE' });
  });

  test.each([tokenFile, credentialsFile])('are refused if the file is invalid: %o', async (fileOf) => {
    const layout = await aStack();
    await writeFile(fileOf(layout, 'bob'), 'hello there');
    await expect(createKeys(layout, on)).rejects.toMatchObject({ code: 'KEY_INVALID' });
  });
});
