import { expect, test } from 'vitest';
import { createFlushes } from '../../../../src/pipeline/batch/flushes.js';
import { aSealer } from './sealer.js';

test('averages the batches of one key and kind', () => {
  const { add, averageOf } = createFlushes();
  const flush = { key: '0xa', kind: 'broadcast', messages: 3, items: 4, sizeBytes: 1_000, timeMs: 2 } as const;
  add(flush);
  add({ ...flush, messages: 1, items: 1, sizeBytes: 500, timeMs: 5 });
  add({ ...flush, kind: 'private', messages: 7 });
  expect(averageOf('0xa', 'broadcast')).toEqual({ messages: 2, items: 2.5, sizeBytes: 750, timeMs: 3.5 });
  expect(averageOf('0xa', 'private')).toMatchObject({ messages: 7 });
  expect(averageOf('0xb', 'broadcast')).toBeUndefined();
});

test('counts a sealed batch with its messages, items and bytes', async () => {
  const flushes = createFlushes();
  const { broadcast, step, rows, key } = await aSealer({ onSealed: flushes.add });
  await broadcast('a');
  await broadcast('b');
  await step();
  const [payload] = await rows('payloads');
  const sizeBytes = Buffer.byteLength(payload?.text ?? '');
  expect(flushes.averageOf(key, 'broadcast')).toEqual({ messages: 2, items: 2, sizeBytes, timeMs: 0 });
});
