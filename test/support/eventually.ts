import { vi } from 'vitest';

/**
 * Looks again and again until that does not throw, and resolves with what it found then. How long a machine takes for
 * what comes by itself is no test's business: it gives up so late that something must be wrong.
 */
export function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 30_000, interval: 10 });
}
