import { describe, expect, it } from 'vitest';
import { noReplyValue, replyValue } from '../../../../src/domain/events/webhook-reply.js';

const json = { 'content-type': 'application/json; charset=utf-8' };

function reply(body: string | Uint8Array, headers: Record<string, string> = json, isJson = false): string {
  return replyValue({ status: 201, headers, body: Buffer.from(body) }, isJson);
}

describe('the value of a reply', () => {
  it('has status, headers and the unchanged body', () => {
    const headers = '{"Content-Type":"application/json; charset=utf-8","X-Rate-2-Limit":"5"}';
    const text = reply('{ "n": 1.50 }', { ...json, 'x-rate-2-limit': '5' });
    expect(text).toBe(`{"status":201,"headers":${headers},"body":{"n":1.50}}`);
  });

  it.each(['application/problem+json', 'text/json', 'APPLICATION/JSON'])('reads the type %s as JSON', (type) => {
    expect(reply('[1]', { 'content-type': type })).toContain('"body":[1]');
  });

  it.each([
    ['another type', 'text/plain', '[1]'],
    ['no JSON', 'application/json', '[1'],
    ['nothing', 'application/json', ''],
    ['JSON in a type that only looks like it', 'application/jsonp', '1'],
  ])('has a body as base64 that is %s', (_, type, body) => {
    expect(reply(body, { 'content-type': type })).toContain(`"body":"${Buffer.from(body).toString('base64')}"`);
  });

  it('has bytes that are not UTF-8 as base64', () => {
    expect(reply(Uint8Array.of(0x22, 0xff, 0x22))).toContain('"body":"Iv8i"');
  });

  it('reads any type as JSON if the owner requests it', () => {
    expect(reply('[1]', { 'content-type': 'text/plain' }, true)).toContain('"body":[1]');
    expect(reply('[1]', {}, true)).toContain('"body":[1]');
  });

  it('has a body that is too deep for a value as base64, and one at the limit unchanged', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(reply(nested(63))).toContain(`"body":${nested(63)}`);
    expect(reply(nested(64))).toContain(`"body":"${Buffer.from(nested(64)).toString('base64')}"`);
  });

  it("does not include the target's cookies", () => {
    expect(reply('1', { ...json, 'set-cookie': 'session=secret' })).not.toContain('secret');
  });

  it('is 502 if there was no response', () => {
    expect(noReplyValue('gone')).toBe(
      '{"status":502,"headers":{"Content-Type":"application/json"},"body":{"error":"gone"}}',
    );
  });
});
