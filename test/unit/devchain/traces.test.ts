import { expect, test } from 'vitest';
import { createTraceLimit, keepFreedPages, youngCollector } from '../../../src/devchain/traces.js';

test('traces are collected once for every half a million gas of blocks', () => {
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

test('the process can be told to collect its young objects', () => {
  expect(youngCollector()).not.toThrow();
});

test('a delay that whoever starts the chain has chosen stays', () => {
  const chosen: NodeJS.ProcessEnv = { MIMALLOC_PURGE_DELAY: '10' };
  const nothing: NodeJS.ProcessEnv = {};
  keepFreedPages(chosen);
  keepFreedPages(nothing);
  expect([chosen['MIMALLOC_PURGE_DELAY'], nothing['MIMALLOC_PURGE_DELAY']]).toEqual(['10', '500']);
});
