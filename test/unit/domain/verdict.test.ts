import { expect, test } from 'vitest';
import { decide } from '../../../src/domain/verdict.js';

test('a broadcast whose turn it is, is confirmed', () => {
  expect(decide({ type: 'broadcast', tag: null })).toEqual({ state: 'confirmed' });
});

test('a definition of an unknown kind is rejected with its reason', () => {
  const verdict = decide({ type: 'definition', tag: 'svc_define_moon' });
  expect(verdict).toMatchObject({ state: 'rejected', reason: expect.stringMatching(/^FF10400: .*svc_define_moon/) });
});
