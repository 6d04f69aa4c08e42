import { chmodSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCredentials } from '../../../../src/node/requests/credentials.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-auth-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const digest = 'ab'.repeat(32);
const token = { name: 'alice', sha256: digest };
const scrypt = { salt: 'cd'.repeat(16), hash: digest, cost: 32_768 };

function fileOf(content: unknown, mode = 0o600): string {
  const path = join(directory, 'auth.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(path, mode);
  return path;
}

describe('the file of credentials', () => {
  it('has hashes of tokens and passwords, with their rights', async () => {
    const credentials = [token, { name: 'ann', scrypt, namespaces: ['default'], grants: ['invoke', 'tokens'] }];
    expect(await readCredentials(fileOf({ version: 1, credentials }))).toEqual([
      {
        name: 'alice',
        secret: { kind: 'token', sha256: Buffer.from(digest, 'hex') },
        namespaces: undefined,
      },
      {
        name: 'ann',
        secret: {
          kind: 'password',
          salt: Buffer.from(scrypt.salt, 'hex'),
          hash: Buffer.from(digest, 'hex'),
          cost: 32_768,
        },
        namespaces: ['default'],
        grants: ['invoke', 'tokens'],
      },
    ]);
  });

  it.each([
    ['no JSON', '{', /auth\.json/],
    ['another version', { version: 2, credentials: [token] }, /version/],
    ['nobody', { version: 1, credentials: [] }, /credentials/],
    ['an unknown key', { version: 1, credentials: [{ ...token, namespace: ['a'] }] }, /"namespace".*namespaces/],
    ['a secret in the clear', { version: 1, credentials: [{ ...token, password: 'x' }] }, /unknown key "password"/],
    ['no secret', { version: 1, credentials: [{ name: 'alice' }] }, /sha256 or scrypt/],
    ['two secrets', { version: 1, credentials: [{ ...token, scrypt }] }, /sha256 or scrypt/],
    ['a name twice', { version: 1, credentials: [token, token] }, /alice/],
    ['a colon in a name', { version: 1, credentials: [{ ...token, name: 'a:b' }] }, /colon/],
    ['a token in place of its hash', { version: 1, credentials: [{ ...token, sha256: 'secret' }] }, /hexadecimal/],
    ['a hash that is too short', { version: 1, credentials: [{ ...token, sha256: 'ab' }] }, /32 bytes/],
    ['a cheap hash', { version: 1, credentials: [{ name: 'a', scrypt: { ...scrypt, cost: 1_024 } }] }, /cost/],
    ['a cost between', { version: 1, credentials: [{ name: 'a', scrypt: { ...scrypt, cost: 20_000 } }] }, /cost/],
    ['an unknown grant', { version: 1, credentials: [{ ...token, namespaces: [], grants: ['token'] }] }, /"tokens"/],
    ['grants for everything', { version: 1, credentials: [{ ...token, grants: ['invoke'] }] }, /no namespaces/],
    ['a short salt', { version: 1, credentials: [{ name: 'a', scrypt: { ...scrypt, salt: 'ab' } }] }, /16 to 128/],
  ])('is refused with %s', async (_, content, expected) => {
    await expect(readCredentials(fileOf(content))).rejects.toThrow(expected);
  });

  it('is refused if others may read it, or if it is a link', async () => {
    const content = { version: 1, credentials: [token] };
    await expect(readCredentials(fileOf(content, 0o640))).rejects.toThrow('0600');
    const link = join(directory, 'link.json');
    symlinkSync(fileOf(content), link);
    await expect(readCredentials(link)).rejects.toThrow('0600');
  });
});
