import { describe, expect, it } from 'vitest';
import type { Failpoint } from '../../src/ports/failpoint.js';

/**
 * The obligations of `ports/failpoint.ts`. `create` arms `batch.after-seal`, to fail when it is reached for the second
 * time.
 */
export function describeFailpoint(adapter: string, create: () => Failpoint): void {
  describe(`failpoint: ${adapter}`, () => {
    it('does nothing at a name that is not armed', async () => {
      const failpoint = create();
      for (let hit = 0; hit < 5; hit += 1) await failpoint.reach('tx.after-send');
    });

    it('acts only at the armed name and the armed hit', async () => {
      const failpoint = create();
      await failpoint.reach('batch.after-seal');
      await expect(failpoint.reach('batch.after-seal')).rejects.toThrow('batch.after-seal');
      await failpoint.reach('batch.after-seal');
    });
  });
}
