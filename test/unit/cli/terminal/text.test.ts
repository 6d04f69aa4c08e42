import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  age,
  linesOf,
  plural,
  safe,
  safeJson,
  shortAuthor,
  sizeOf,
  spanOf,
} from '../../../../src/cli/terminal/text.js';

const unsafe = /[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

it('a long line is broken between words, by their cell widths', () => {
  expect(linesOf(['42', 'message_confirmed', 'tag=order', 'topic=orders'], 30)).toEqual([
    '42 message_confirmed tag=order',
    'topic=orders',
  ]);
  expect(linesOf(['日本語', '日本語'], 12)).toEqual(['日本語', '日本語']);
  expect(linesOf(['a-word-that-is-longer'], 5)).toEqual(['a-word-that-is-longer']);
});

describe('untrusted text', () => {
  it('keeps nothing that controls a terminal or changes the text direction', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(safe(text)).not.toMatch(unsafe);
      }),
    );
  });

  it('shows what it has escaped, and leaves everything else unchanged', () => {
    expect(safe('\u001b[31m\n\u0085\u202e')).toBe('\\u{1b}[31m\\u{a}\\u{85}\\u{202e}');
    expect(safe('grüße 世界 😀')).toBe('grüße 世界 😀');
  });

  it('in JSON is escaped so that the JSON has the same meaning', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = safeJson(JSON.stringify(text));
        expect(JSON.parse(json)).toBe(text);
        expect(json).not.toMatch(unsafe);
      }),
    );
  });
});

describe('short forms', () => {
  it('of authors leave out the common prefix', () => {
    expect(['did:parley:org/alice', 'did:parley:bob', 'did:firefly:org/x', 'carol'].map(shortAuthor)).toEqual([
      'alice',
      'bob',
      'x',
      'carol',
    ]);
  });

  it('of times, spans, sizes and counts', () => {
    const now = Date.parse('2026-01-02T00:00:00.000Z');
    const times = [
      '2026-01-02T00:00:01.000Z',
      '2026-01-01T23:59:18.000Z',
      '2026-01-01T22:30:00.000Z',
      '2025-12-30T00:00:00.000Z',
      '2026-13-45T00:00:00.000Z',
    ];
    expect(times.map((time) => age(time, now))).toEqual(['0s', '42s', '1h', '3d', '?']);
    expect([38.4, 1_900, 250_000, 5_400_000].map(spanOf)).toEqual(['38 ms', '1.9 s', '4 min 10 s', '1 h 30 min']);
    expect([999.7, 59_940, 59_960, 119_700, 3_599_700].map(spanOf)).toEqual([
      '1.0 s',
      '59.9 s',
      '1 min 0 s',
      '2 min 0 s',
      '1 h 0 min',
    ]);
    expect([0, 999, 1_200, 45_600_000, 999_999_999].map(sizeOf)).toEqual([
      '0 B',
      '999 B',
      '1.2 kB',
      '45.6 MB',
      '1000 MB',
    ]);
    expect([plural(1, 'party', 'parties'), plural(3, 'party', 'parties'), plural(0, 'block')]).toEqual([
      '1 party',
      '3 parties',
      '0 blocks',
    ]);
  });
});
