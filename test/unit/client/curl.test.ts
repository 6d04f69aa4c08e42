import { describe, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import { curlCommand, quote } from '../../../src/client/curl.js';

describe('a request as a curl command', () => {
  it('names method, address, headers and body', () => {
    expect(curlCommand({ method: 'GET', url: 'http://127.0.0.1:1/a' })).toBe('curl -sS http://127.0.0.1:1/a');
    expect(curlCommand({ method: 'POST', url: 'http://h/a?b=1', body: '{"a":"it\'s"}' })).toBe(
      `curl -sS -X POST 'http://h/a?b=1' -H 'content-type: application/json' --data-binary '{"a":"it'\\''s"}'`,
    );
  });

  it('quotes every word so that a shell reads it back', () => {
    for (const word of ['', 'a b', "it's", '$HOME `id` "x" \\', '*', 'a\nb', '-x', '@f']) {
      expect(execFileSync('/bin/sh', ['-c', `printf %s ${quote(word)}`], { encoding: 'utf8' })).toBe(word);
    }
  });
});
