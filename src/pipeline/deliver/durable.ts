import { readSubscription } from '../../domain/events/subscription.js';
import { createWindow, type Window } from '../../domain/events/window.js';
import type { SubscriptionRow } from '../../ports/tables/messaging-tables.js';
import type { DeliveredEvent } from '../../wire/events/event.js';
import type { Activity, AttachRequest } from './delivery.js';
import { createDispatcher, type DispatcherTools } from './dispatcher.js';
import { pageSpan } from './events/event-page.js';
import { renderSubscription } from './events/event-text.js';
import type { Positioned, Positions } from './positions.js';

export interface Durable extends Positioned {
  readonly reference: DeliveredEvent['subscription'];
  activity(): Activity | undefined;
  has(connection: AttachRequest): boolean;
  isActive(connection: AttachRequest): boolean;
  /**
   * Acknowledges an event or batch. For repeated events this makes room at once, because the position is past them; for
   * others once the position is on disk.
   */
  acknowledge(connection: AttachRequest, id: string | undefined): boolean;
  /** Adds a connection, or ends it if it is for another transport, or for other options of a webhook. */
  join(connection: AttachRequest): void;
  /** Removes a connection; its unacknowledged events go to the next one, lowest first. */
  leave(connection: AttachRequest): void;
  /** Applies a changed row to events that are not sent yet; the position is kept. */
  update(row: SubscriptionRow): void;
  /** Ends a deleted subscription and its connections. Resolves when nothing is in flight. */
  end(): Promise<void>;
  stop(): Promise<void>;
}

export function createDurable(tools: DispatcherTools, positions: Positions, row: SubscriptionRow): Durable {
  const { id, namespace, name } = row;
  const reference = { id, namespace, name };
  let current = row;
  /** The first one is active. */
  const connections: AttachRequest[] = [];
  const { filter, ...flow } = readSubscription(row);
  const window = createWindow({ readAhead: flow.readAhead, position: Math.max(row.cursor, 0), isDurable: true });
  const dispatcher = createDispatcher({
    ...tools,
    window,
    subscription: renderSubscription(reference),
    filter,
    flow,
    target: () => connections[0],
    onAcknowledge: () => positions.note(durable),
    onPass: () => {
      if (window.position - window.saved >= pageSpan) positions.note(durable);
    },
  });

  function endAll(): void {
    window.disconnect();
    for (const { subscriber } of connections.splice(0)) subscriber.end();
  }
  const durable: Durable = {
    id,
    namespace,
    window,
    reference,
    onSaved: dispatcher.wake,
    activity: () => activityOf(window, connections.length),
    has: (connection) => connections.includes(connection),
    isActive: (connection) => connections[0] === connection,
    acknowledge(connection, eventId) {
      if (connections[0] !== connection || !window.acknowledge(eventId)) return false;
      positions.note(durable);
      if (window.repeats > 0) dispatcher.wake();
      return true;
    },
    join(connection) {
      if (!isFor(current, connection)) return connection.subscriber.end();
      connections.push(connection);
      dispatcher.wake();
    },
    leave(connection) {
      const index = connections.indexOf(connection);
      if (index < 0) return;
      connections.splice(index, 1);
      if (index > 0) return;
      window.disconnect();
      if (connections.length === 0) positions.note(durable);
      else dispatcher.wake();
    },
    update(changed) {
      const before = current;
      current = changed;
      if (connections.some((connection) => !isFor(changed, connection))) endAll();
      if (changed.filter === before.filter && changed.options === before.options) return;
      const { filter: wanted, ...otherFlow } = readSubscription(changed);
      dispatcher.change(wanted, otherFlow);
    },
    async end() {
      endAll();
      await dispatcher.stop();
    },
    stop: dispatcher.stop,
  };
  return durable;
}

/**
 * Whether a connection is for the subscription as it is. A webhook with earlier options would deliver the first event
 * of a batch only, and acknowledge all.
 */
function isFor(row: SubscriptionRow, { transport, options = row.options }: AttachRequest): boolean {
  return transport === row.transport && options === row.options;
}

function activityOf({ settled, inFlight }: Window, connections: number): Activity | undefined {
  return connections === 0 ? undefined : { currentOffset: settled, connections, inFlight };
}
