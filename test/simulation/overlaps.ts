import { type Cancellers, checkCancelled, createCancellers } from './cancellers.js';
import type { Simulator } from './life.js';
import type { Oracle } from './oracle.js';
import type { Party } from './party.js';
import type { Waiters } from './waiters.js';

export interface OverlapParts {
  readonly simulator: Simulator;
  readonly parties: readonly Party[];
  readonly oracle: Oracle;
  readonly waiters: Waiters;
}

/** Users whose requests meet others under way. */
export interface Overlaps extends Pick<Cancellers, 'isCancelled'> {
  start(): void;
  /** Checks what they have done, at rest. Throws InvariantViolation. */
  check(): Promise<void>;
}

export function createOverlaps(parts: OverlapParts): Overlaps {
  const cancellers = createCancellers(parts);
  return {
    start() {
      cancellers.start();
    },
    isCancelled: cancellers.isCancelled,
    async check() {
      await checkCancelled({ ...parts, cancellers });
      await parts.waiters.check();
    },
  };
}
