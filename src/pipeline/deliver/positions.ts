import type { Window } from '../../domain/events/window.js';
import type { Clock } from '../../ports/clock.js';
import type { Database } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Log } from '../../ports/log.js';
import type { Bus } from '../bus.js';
import { createLoop, type Step } from '../loop.js';

export interface Positioned {
  readonly id: string;
  readonly namespace: string;
  readonly window: Window;
  /** Called when the position is on disk, which may have made room. */
  onSaved(): void;
}

/** Stores the positions of durable subscriptions, many in one transaction. */
export interface Positions {
  /** Stores the position of a subscription soon. */
  note(subscription: Positioned): void;
  stop(subscriptions: Iterable<Positioned>): Promise<void>;
}

export interface PositionsParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly failpoint: Failpoint;
  readonly onDefect: (error: Error) => void;
}

export function createPositions({ database, failpoint, ...loopParts }: PositionsParts): Positions {
  const noted = new Set<Positioned>();

  async function step(): Promise<Step> {
    const gathered = [...noted];
    noted.clear();
    try {
      await save(gathered);
    } catch (error) {
      for (const subscription of gathered) noted.add(subscription);
      throw error;
    }
    return { hasWorked: noted.size > 0, rings: [] };
  }

  async function save(subscriptions: readonly Positioned[]): Promise<void> {
    if (movedOf(subscriptions).length === 0) return;
    await failpoint.reach('deliver.after-ack');
    const stored = await database.transaction(async (database) => {
      // Read as late as possible, so that acknowledgements during other writes are included.
      const moved = movedOf(subscriptions);
      const rows = moved.map(({ subscription: { id }, cursor }) => ({ id, cursor }));
      await database.updateEach('subscriptions', 'id', rows);
      return moved;
    });
    await failpoint.reach('deliver.after-position');
    for (const { subscription, cursor } of stored) {
      subscription.window.save(cursor);
      subscription.onSaved();
    }
  }

  const loop = createLoop({ name: 'positions', bell: 'subscriptions', step, ...loopParts });
  loop.start();
  return {
    note(subscription) {
      noted.add(subscription);
      loop.wake();
    },
    async stop(subscriptions) {
      await loop.stop();
      await save([...subscriptions]);
    },
  };
}

function movedOf(subscriptions: readonly Positioned[]) {
  return subscriptions
    .map((subscription) => ({ subscription, cursor: subscription.window.position }))
    .filter(({ subscription, cursor }) => cursor > subscription.window.saved);
}
