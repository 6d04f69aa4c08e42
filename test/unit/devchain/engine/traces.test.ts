import { expect, test } from 'vitest';
import { createTraceLimit } from '../../../../src/devchain/engine/traces.js';

test('traces are collected once for every half million gas of blocks', () => {
  let collected = 0;
  const mined = createTraceLimit(() => (collected += 1));

  mined(499_999);
  expect(collected).toBe(0);
  mined(1);
  expect(collected).toBe(1);
  mined(30_000_000);
  expect(collected).toBe(2);
  mined(499_999);
  expect(collected).toBe(2);
});
