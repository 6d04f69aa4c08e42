import { type Cancellers, checkCancelled, createCancellers } from './cancellers.js';
import { createSharers, type SharerParts, type Sharers } from './sharers.js';
import type { Oracle } from './oracle.js';
import { checkUsedOnce } from './used-once.js';

export interface OverlapParts extends SharerParts {
  readonly oracle: Oracle;
}

/** Users whose requests meet others under way. */
export interface Overlaps extends Pick<Cancellers, 'isCancelled'>, Pick<Sharers, 'isDone' | 'sends' | 'heirs'> {
  start(): void;
  /** Checks what they have done, at rest. Throws InvariantViolation. */
  check(): Promise<void>;
}

export function createOverlaps(parts: OverlapParts): Overlaps {
  const cancellers = createCancellers(parts);
  const sharers = createSharers(parts);
  return {
    start() {
      cancellers.start();
      sharers.start();
    },
    isCancelled: cancellers.isCancelled,
    isDone: sharers.isDone,
    sends: sharers.sends,
    heirs: sharers.heirs,
    async check() {
      await checkCancelled({ ...parts, cancellers, sometimes: parts.simulator.sometimes });
      for (const party of parts.parties) await checkUsedOnce(party);
      await parts.waiters.check();
      await sharers.check();
    },
  };
}
