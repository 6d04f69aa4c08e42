import { describe, expect, it } from 'vitest';
import { durationMs, anyDurationMs, ratePerSecond } from '../../../src/cli/duration.js';
import { expand, hasPlaceholder } from '../../../src/cli/messages/listing/expand.js';
import { timeWord } from '../../../src/cli/terminal/time-word.js';
import { buildRequest, type RequestPattern } from '../../../src/cli/messages/sending/request.js';

describe('a duration', () => {
  it('has a unit, or counts seconds', () => {
    const texts = ['30s', '500ms', '2m', '1h', '15', '0', '1.5s'];
    expect(texts.map((text) => durationMs(text, '--timeout'))).toEqual([
      30_000, 500, 120_000, 3_600_000, 15_000, 0, 1_500,
    ]);
  });

  it('may have several units, as for a node, and is never rounded to zero', () => {
    expect(['1m30s', ' 2m ', '1.5', '0.4ms', '1us'].map((text) => durationMs(text, '--timeout'))).toEqual([
      90_000, 120_000, 1_500, 1, 1,
    ]);
    expect(timeWord('1h30m', '--since', Date.UTC(2026, 3, 1))).toBe('2026-03-31T22:30:00.000Z');
  });

  it.each(['', 'x', '5d', '-1s', '1 s 2', '1e3', '1m30'])('is refused as %j', (text) => {
    expect(() => durationMs(text, '--timeout')).toThrow('--timeout must be a duration');
  });
});

describe('a time limit', () => {
  it('is at most what a timer can wait, and a past time may be longer', () => {
    expect(durationMs('596h', '--timeout')).toBe(596 * 3_600_000);
    expect(() => durationMs('597h', '--timeout')).toThrow('--timeout may be at most 596h, not "597h"');
    expect(anyDurationMs('2000h', '--since')).toBe(2_000 * 3_600_000);
    expect(timeWord('2000h', '--since', Date.UTC(2026, 3, 1))).toBe('2026-01-07T16:00:00.000Z');
  });
});

describe('a rate', () => {
  it('is per second by default', () => {
    expect(['10/s', '600/m', '36/h', '5'].map(ratePerSecond)).toEqual([10, 10, 0.01, 5]);
  });

  it.each(['0', '0/s', '-1', 'x', '5/d', ''])('is refused as %j', (text) => {
    expect(() => ratePerSecond(text)).toThrow('--rate must be');
  });
});

describe('placeholders', () => {
  it('stand for number, id, time and chance', () => {
    expect(expand('{"n":{{n}},"m":{{ n }}}', 7)).toBe('{"n":7,"m":7}');
    expect(expand('{{uuid}}', 1)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(expand('{{now}}', 1)).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
    const drawn = Array.from({ length: 200 }, () => Number(expand('{{rand -2 2}}', 1)));
    expect(new Set(drawn)).toEqual(new Set([-2, -1, 0, 1, 2]));
    expect(expand('{{rand 5 5}}{{rand 6 5}}', 1)).toMatch(/^5[56]$/);
  });

  it('are only these words: nested objects are unchanged', () => {
    expect(expand('{"a":{"b":{}},"c":"{{x}}"}', 1)).toBe('{"a":{"b":{}},"c":"{{x}}"}');
    expect([hasPlaceholder('a-{{n}}'), hasPlaceholder('{{x}}'), hasPlaceholder('')]).toEqual([true, false, false]);
  });
});

const pattern: RequestPattern = {
  items: [{ text: '{"n": 1.0}', isString: false }],
  datatype: undefined,
  tag: undefined,
  topics: [],
  author: undefined,
  key: undefined,
  idempotencyKey: undefined,
  isExpanding: false,
  recipients: undefined,
};

describe('the request of a private message', () => {
  it('names members, or the hash of a group', () => {
    const to = { ...pattern, recipients: { to: ['bob', 'did:parley:org/carol'], isUnpinned: false } };
    expect(buildRequest(to, 1)).toEqual({
      group: { members: [{ identity: 'bob' }, { identity: 'did:parley:org/carol' }] },
      data: [{ value: '{"n":1.0}' }],
    });
    const hash = '4b'.repeat(32);
    expect(buildRequest({ ...pattern, recipients: { to: { hash }, isUnpinned: false } }, 1).group).toBe(hash);
  });

  it('is unpinned on request', () => {
    const unpinned = { ...pattern, recipients: { to: ['bob'], isUnpinned: true } };
    expect(buildRequest(unpinned, 1).header).toEqual({ txtype: 'none' });
  });
});

describe('the request of a broadcast', () => {
  it('has no header without flags', () => {
    expect(buildRequest(pattern, 1)).toEqual({ data: [{ value: '{"n":1.0}' }] });
  });

  it('carries every flag, with values in order', () => {
    const items = [...pattern.items, { text: '@x', isString: true }, { id: 'i' }];
    const flags = {
      ...pattern,
      items,
      datatype: { name: 'd', version: '1' },
      tag: 't',
      topics: ['a', 'b'],
      author: 'alice',
      key: '0x1',
      idempotencyKey: 'k',
    };
    expect(buildRequest(flags, 1)).toEqual({
      header: { author: 'alice', key: '0x1', topics: ['a', 'b'], tag: 't' },
      data: [
        { datatype: { name: 'd', version: '1' }, value: '{"n":1.0}' },
        { datatype: { name: 'd', version: '1' }, value: '"@x"' },
        { id: 'i' },
      ],
      idempotencyKey: 'k',
    });
  });

  it('expands placeholders only on request', () => {
    const items = [{ text: '{"n":"{{n}}"}', isString: false }];
    const flags = { ...pattern, items, topics: ['t-{{n}}'], tag: 'g{{n}}', idempotencyKey: 'k{{n}}' };
    expect(buildRequest(flags, 3).data).toEqual([{ value: '{"n":"{{n}}"}' }]);
    expect(buildRequest({ ...flags, isExpanding: true }, 3)).toEqual({
      header: { topics: ['t-3'], tag: 'g3' },
      data: [{ value: '{"n":"3"}' }],
      idempotencyKey: 'k3',
    });
  });
});
