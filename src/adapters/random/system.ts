import { randomBytes, randomUUID } from 'node:crypto';
import type { Random } from '../../ports/random.js';

/** The operating system's randomness. */
export function createSystemRandom(): Random {
  return { uuid: () => randomUUID(), bytes: (length) => randomBytes(length) };
}
