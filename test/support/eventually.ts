import { vi } from 'vitest';

/**
 * Repeats `look` until it does not throw; returns its result. The time limit is so long that only a defect exceeds it,
 * however slow the machine.
 */
export function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 90_000, interval: 10 });
}
