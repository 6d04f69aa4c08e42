import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { curlCommand, quote } from '../../../src/client/curl.js';

describe('a request as a curl command', () => {
  it('names method, address, headers and body', () => {
    expect(curlCommand({ method: 'GET', url: 'http://127.0.0.1:1/a' })).toBe('curl -sS http://127.0.0.1:1/a');
    expect(curlCommand({ method: 'POST', url: 'http://h/a?b=1', body: '{"a":"it\'s"}' })).toBe(
      `curl -sS -X POST 'http://h/a?b=1' -H 'content-type: application/json' --data-binary '{"a":"it'\\''s"}'`,
    );
  });

  it('names the certificate file if it is self-signed', () => {
    const command = curlCommand({ method: 'GET', url: 'https://h/a', caFile: '/a b/node.crt' });
    expect(command).toBe("curl -sS --cacert '/a b/node.crt' https://h/a");
  });

  it.each([
    ['Bearer', 'a-token_1~2\n', 'Authorization: Bearer a-token_1~2'],
    ['Basic', "ann:it's $HOME\n", `Authorization: Basic ${Buffer.from("ann:it's $HOME").toString('base64')}`],
    ['Basic', `a:${'x'.repeat(200)}`, `Authorization: Basic ${Buffer.from(`a:${'x'.repeat(200)}`).toString('base64')}`],
  ] as const)('reads a credential when it runs, and hands it over where no one sees it: %s', (scheme, text, header) => {
    const directory = mkdtempSync(join(tmpdir(), "parley-it's-"));
    onTestFinished(() => {
      rmSync(directory, { recursive: true });
    });
    const path = join(directory, 'secret');
    writeFileSync(path, text);
    const command = curlCommand({ method: 'GET', url: 'http://h/a', credential: { path, scheme } });
    expect(command).toContain('| curl -sS -H @- http://h/a');
    const shell = `curl() { printf '%s\\n' "$*"; cat; }; ${command}`;
    const said = execFileSync('/bin/sh', ['-c', shell], { encoding: 'utf8' });
    expect(said).toBe(`-sS -H @- http://h/a\n${header}\n`);
  });

  it('quotes every word so that a shell reads it back', () => {
    for (const word of ['', 'a b', "it's", '$HOME `id` "x" \\', '*', 'a\nb', '-x', '@f']) {
      expect(execFileSync('/bin/sh', ['-c', `printf %s ${quote(word)}`], { encoding: 'utf8' })).toBe(word);
    }
  });
});
