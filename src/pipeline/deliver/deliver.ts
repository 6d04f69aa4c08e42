import type { Clock } from '../../ports/clock.js';
import type { Database } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Log } from '../../ports/log.js';
import type { Random } from '../../ports/random.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { Bus } from '../bus.js';
import type { Attachment, Delivery } from './delivery.js';
import { createDurableSubscriptions } from './durable-subscriptions.js';
import { createEphemeral } from './ephemeral.js';
import type { EventLog } from './events/event-log.js';
import { createPositions } from './positions.js';
import { createSlices } from './slices.js';

export interface DeliveryParts {
  readonly database: Database;
  readonly eventLog: EventLog;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly failpoint: Failpoint;
  readonly onDefect: (error: Error) => void;
}

export function createDelivery({ database, eventLog, failpoint, random, ...loopParts }: DeliveryParts): Delivery {
  const { clock } = loopParts;
  const tools = { ...loopParts, eventLog, random, failpoint, slices: createSlices(clock) };
  const positions = createPositions({ ...loopParts, database, failpoint });
  const durables = createDurableSubscriptions({ ...tools, database, positions });
  const ephemeral = new Set<Attachment>();
  let isStopped = false;

  function assertRunning(): void {
    if (isStopped) throw new ServiceError('stopping', { what: 'The node is stopping' });
  }

  return {
    async subscribe(request) {
      assertRunning();
      const start = Math.max(0, request.after ?? (await eventLog.newest()));
      assertRunning();
      const attachment = createEphemeral(tools, request, start);
      const close = async (): Promise<void> => {
        ephemeral.delete(entry);
        await attachment.close();
      };
      const entry = { ...attachment, close };
      ephemeral.add(entry);
      return entry;
    },
    async attach(request) {
      assertRunning();
      return durables.attach(request);
    },
    activityOf: durables.activityOf,
    async stop() {
      isStopped = true;
      await Promise.all([...ephemeral].map((attachment) => attachment.close()));
      await positions.stop(await durables.stop());
    },
  };
}
