import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headersByNode, readAuthFile } from '../../../../src/cli/requests/credentials.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-auth-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function fileOf(text: string, mode = 0o600): string {
  const path = join(directory, 'mine');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

describe('a file with a credential', () => {
  it.each([
    ['a token', 'abc-DEF_1.2~3+/=', 'Bearer abc-DEF_1.2~3+/='],
    ['a token on a line', 'abc\r\n', 'Bearer abc'],
    ['user and password', 'ann:pass wörd\n', basic('ann:pass wörd')],
    ['a password with colons', 'ann:a:b', basic('ann:a:b')],
  ])('holds %s', async (_, text, authorization) => {
    const path = fileOf(text);
    const { headers, scheme, path: from } = await readAuthFile(path);
    expect(headers).toEqual({ authorization });
    expect([scheme, from]).toEqual([authorization.split(' ')[0], path]);
  });

  it.each([
    ['nothing', ''],
    ['several lines', 'secret-one\nsecret-two'],
    ['several users', 'ann:secret\nbea:secret'],
    ['a header', 'Authorization Bearer secret'],
    ['more than any secret', 'secret'.repeat(10_000)],
  ])('is refused with %s in it, and not repeated', async (_, text) => {
    const refusal = await readAuthFile(fileOf(text)).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'CliError', exitCode: 2 });
    expect(String(refusal)).not.toContain('secret');
  });

  it.each([0o644, 0o640, 0o660])('is refused with mode %o', async (mode) => {
    await expect(readAuthFile(fileOf('token', mode))).rejects.toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining('chmod 600'),
    });
  });

  it('is refused if it is missing', async () => {
    await expect(readAuthFile(join(directory, 'nowhere'))).rejects.toMatchObject({ exitCode: 2 });
    await expect(readAuthFile(directory)).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe('the headers of a node', () => {
  it('are sent only to it, by HTTP and by socket', () => {
    const credential = (token: string) => ({ path: '', scheme: 'Bearer' as const, headers: { authorization: token } });
    const headersOf = headersByNode([
      { url: 'http://127.0.0.1:16010', credential: credential('one') },
      { url: 'http://127.0.0.1:16011', credential: credential('two') },
      { url: 'http://127.0.0.1:16012', credential: undefined },
    ]);
    expect(headersOf('http://127.0.0.1:16010/api/v1/status?x')).toEqual({ authorization: 'one' });
    expect(headersOf('ws://127.0.0.1:16011/ws?namespace=default')).toEqual({ authorization: 'two' });
    for (const url of ['http://127.0.0.1:16012/a', 'http://127.0.0.1:1601/a', 'http://127.0.0.1.evil.test:16010/a']) {
      expect(headersOf(url)).toEqual({});
    }
  });
});
