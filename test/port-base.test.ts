import { expect, it } from 'vitest';
import { freePortBase } from './support/port-base.js';

it('gives no range of ports twice, also while nothing listens there', async () => {
  const bases = await Promise.all([freePortBase(), freePortBase(), freePortBase()]);
  expect(new Set(bases).size).toBe(3);
});
