import { expect, it } from 'vitest';
import { freePort, freePortBase } from './support/port-base.js';

it('returns no range of ports twice, also while nothing listens there', async () => {
  const bases = await Promise.all([freePortBase(), freePortBase(), freePortBase()]);
  expect(new Set(bases).size).toBe(3);
});

it('returns no port twice, and none that the system assigns', async () => {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  expect(new Set(ports).size).toBe(3);
  expect(Math.max(...ports)).toBeLessThan(16_000);
});
