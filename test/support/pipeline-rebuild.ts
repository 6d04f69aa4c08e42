import { createSystemClock } from '../../src/adapters/clock/system.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import { createSystemRandom } from '../../src/adapters/random/system.js';
import { rebuildHistory } from '../../src/pipeline/rebuild/rebuild.js';
import type { Blockchain } from '../../src/ports/blockchain.js';
import type { Database } from '../../src/ports/database.js';
import { createLife } from './pipeline-life.js';

export interface RebuildOptions {
  /** Removes everything from this block on. */
  readonly from?: number;
  /** Kills it at its n-th failpoint. */
  readonly dieAt?: number;
}

/** Removes what came from blocks that no longer exist. Resolves with whether the rebuild finished. */
export async function rebuildOnce(
  database: Database,
  chain: Blockchain,
  { from, dieAt }: RebuildOptions = {},
): Promise<boolean> {
  const life = createLife();
  let places = 0;
  const failpoint = {
    async reach(name: string) {
      places += 1;
      if (places === dieAt) life.dieAt(name, 1);
      await life.failpoint.reach(name);
    },
  };
  const parts = { database: life.database(database), blockchain: life.blockchain(chain) };
  const environment = { clock: createSystemClock(), random: createSystemRandom(), log: createSilentLog(), failpoint };
  await rebuildHistory({ ...parts, ...environment, firstBlock: 0 }, { from }).catch((error: unknown) => {
    if (!life.isDead()) throw error;
  });
  return !life.isDead();
}
