import type { Blockchain } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import type { Database } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Log } from '../../ports/log.js';
import type { Random } from '../../ports/random.js';

export interface RebuildParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly log: Log;
  readonly failpoint: Failpoint;
  /** The block with the first log of the network's contract. */
  readonly firstBlock: number;
  readonly tellProgress?: ((text: string) => void) | undefined;
}

/** The parts of one rebuild, for each kind of rows that it undoes. */
export type Undoing = RebuildParts & {
  /** The last block whose effects are kept. */
  readonly after: number;
  /** Called after each commit. */
  readonly afterUnit: () => Promise<void>;
};
