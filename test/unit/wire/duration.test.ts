import { expect, test } from 'vitest';
import { readDurationMs } from '../../../src/wire/duration.js';

test.each([
  ['30', 's', 30_000],
  ['30', 'ms', 30],
  ['0', 's', 0],
  ['500ms', 's', 500],
  ['1.5s', 'ms', 1_500],
  ['2m0s', 's', 120_000],
  ['1h0m0.25s', 's', 3_600_250],
  ['250us', 's', 0],
  ['1500µs', 's', 2],
  ['999999999ns', 's', 1_000],
] as const)('"%s" with the default unit %s is %i ms', (text, unit, durationMs) => {
  expect(readDurationMs(text, unit)).toBe(durationMs);
});

test.each(['', 'soon', '-5s', '1.5', '1 s', '1d', '1s ', 's', '.5s', '1e3ms', '1.s', '1234567890', '1m30'])(
  '"%s" is not a duration',
  (text) => {
    expect(readDurationMs(text, 's')).toBeUndefined();
  },
);
