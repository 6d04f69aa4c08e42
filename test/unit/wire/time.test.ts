import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMoment, secondsBetween } from '../../../src/wire/time.js';

describe('a moment in a filter', () => {
  it.each([
    ['2026-01-15T10:00:00Z', '2026-01-15T10:00:00.000Z'],
    ['2026-01-15t10:00:00.1z', '2026-01-15T10:00:00.100Z'],
    ['2026-01-15T10:00:00.123Z', '2026-01-15T10:00:00.123Z'],
    ['2026-01-15T10:00:00.123000Z', '2026-01-15T10:00:00.123Z'],
    ['2026-01-15T10:00:00+01:30', '2026-01-15T08:30:00.000Z'],
    ['2026-01-15T10:00:00 01:30', '2026-01-15T08:30:00.000Z'],
    ['2026-01-15T10:00:00-01:00', '2026-01-15T11:00:00.000Z'],
    ['0', '1970-01-01T00:00:00.000Z'],
    ['1768471200', '2026-01-15T10:00:00.000Z'],
    ['1768471200123', '2026-01-15T10:00:00.123Z'],
    ['1768471200123000', '2026-01-15T10:00:00.123Z'],
    ['1768471200123000000', '2026-01-15T10:00:00.123Z'],
  ])('%s is %s', (given, text) => {
    expect(readMoment(given)).toEqual({ text, isBetween: false });
  });

  it.each(['2026-01-15T10:00:00.1234Z', '1768471200123001', '1768471200123000001'])(
    '%s is between two milliseconds',
    (given) => {
      expect(readMoment(given)).toMatchObject({ text: expect.stringContaining('.123Z'), isBetween: true });
    },
  );

  it.each([
    '',
    'yesterday',
    '2026-01-15',
    '2026-02-30T00:00:00Z',
    '2026-01-15T25:00:00Z',
    '-1',
    '1.5',
    '1e9',
    '9'.repeat(20),
  ])('%j is not a time', (given) => {
    expect(readMoment(given)).toBeUndefined();
  });

  it('is the same in every unit', () => {
    const seconds = fc.integer({ min: 100_000_000, max: 99_999_999_999 });
    fc.assert(
      fc.property(seconds, (given) => {
        const text = new Date(given * 1_000).toISOString();
        for (const unit of [1n, 1_000n, 1_000_000n, 1_000_000_000n]) {
          const number = BigInt(given) * unit;
          // Nanoseconds must fit into 64 bits.
          if (number < 9_223_372_036_854_775_807n) expect(readMoment(String(number))?.text).toBe(text);
        }
        expect(readMoment(text)).toEqual({ text, isBetween: false });
      }),
    );
  });
});

describe('the seconds between two times', () => {
  it('are exact to the millisecond, and 0 if the clock was set back', () => {
    const [first, second] = ['2026-01-15T10:00:00.250Z', '2026-01-15T10:01:01.000Z'];
    expect(secondsBetween(first, second)).toBe(60.75);
    expect(secondsBetween(second, first)).toBe(0);
  });
});
