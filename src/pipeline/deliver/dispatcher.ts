import type { Filter } from '../../domain/events/filter.js';
import type { Window } from '../../domain/events/window.js';
import type { Clock } from '../../ports/clock.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Log } from '../../ports/log.js';
import type { Random } from '../../ports/random.js';
import type { Handover, Subscriber } from '../../ports/subscriber.js';
import type { Bus } from '../bus.js';
import { createLoop, type Step } from '../loop.js';
import { createBatchTimer } from './batch-timer.js';
import type { FlowControl } from './delivery.js';
import type { EventLog } from './events/event-log.js';
import { eventBatch, oneEvent, type SubscriptionText } from './events/event-text.js';
import { createQueue, type Queue } from './queue.js';
import type { Slices } from './slices.js';

export interface Target {
  readonly subscriber: Subscriber;
  readonly isAutoack: boolean;
}

export interface DispatcherTools {
  readonly eventLog: EventLog;
  readonly slices: Slices;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly failpoint: Failpoint;
  readonly onDefect: (error: Error) => void;
}

export interface DispatcherParts extends DispatcherTools {
  readonly window: Window;
  readonly subscription: SubscriptionText;
  readonly filter: Filter;
  readonly flow: FlowControl;
  /** The active connection; nothing is read without one. */
  readonly target: () => Target | undefined;
  /** Called when an event was acknowledged on delivery. */
  readonly onAcknowledge: () => void;
  /** Called when events that do not match were skipped. */
  readonly onPass: () => void;
}

/** Sends the events of one subscription to its active connection. */
export interface Dispatcher {
  /** Continues after room has become free or another connection has become active. */
  wake(): void;
  /** Changes the filter and options for events that are not sent yet. */
  change(filter: Filter, flow: FlowControl): void;
  /** Resolves when the delivery in progress has ended. */
  stop(): Promise<void>;
}

/** Events read and rendered ahead. Rendering a full window takes less time than reading as many events. */
const maxLoaded = 192;
const maxBatchEvents = 1_000;
/** Cost of a delivery, in events examined. */
const handoverCost = 4;

/**
 * Creates a dispatcher and starts it. It sends in order, as the window allows: first the events to repeat, then new
 * matching ones.
 */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { eventLog, slices, window, subscription, random, failpoint } = parts;
  let { flow } = parts;
  const { namespace } = subscription.record;
  const queue = createQueue({ window, eventLog, slices, namespace, filter: parts.filter, onPass: parts.onPass });
  const handOver = createHandover(parts, queue);

  async function step(signal: AbortSignal): Promise<Step> {
    const target = parts.target();
    if (target === undefined || window.room === 0) return rested;
    const isStill = (): boolean => !signal.aborted && parts.target() === target;
    if (flow.batch === undefined) return sendEach(target, isStill);
    return sendBatch(target, isStill, (timeoutMs) => timer.remains(timeoutMs, signal), flow.batch.timeoutMs);
  }

  async function sendEach(target: Target, isStill: () => boolean): Promise<Step> {
    if (queue.next() === undefined) return (await queue.advance()) ? worked : rested;
    await queue.lookAhead(maxLoaded);
    const events = await eventLog.load(queue.due(maxLoaded), target.isAutoack ? maxLoaded : window.room);
    for (const event of events) {
      if (!isStill() || window.room === 0 || queue.next() !== event.event.sequence) break;
      const wait = handOver(target, oneEvent(event, subscription));
      if (wait !== undefined) await wait;
    }
    await failpoint.reach('deliver.after-send');
    return worked;
  }

  async function sendBatch(
    target: Target,
    isStill: () => boolean,
    mayWait: (timeoutMs: number) => boolean,
    timeoutMs: number,
  ): Promise<Step> {
    const size = Math.min(Math.max(flow.readAhead, 1), maxBatchEvents);
    // One batch at a time, because a full one fills the window.
    if (window.inFlight > 0 || window.room < size) return rested;
    if (window.repeats === 0 && queue.due(size).length < size) {
      if (await queue.advance()) return worked;
      if (queue.next() === undefined || mayWait(timeoutMs)) return rested;
    }
    const events = await eventLog.load(queue.due(size), size);
    if (isStill() && queue.isDue(events)) {
      timer.clear();
      await handOver(target, eventBatch(random.uuid(), events, subscription));
      await failpoint.reach('deliver.after-send');
    }
    return worked;
  }

  const { bus, clock, log, onDefect } = parts;
  const loop = createLoop({ name: 'deliver', bell: 'events', step, bus, clock, log, onDefect });
  const timer = createBatchTimer(clock, () => loop.wake());
  loop.start();
  return {
    wake: () => loop.wake(),
    change(filter, changed) {
      flow = changed;
      window.resize(changed.readAhead);
      queue.change(filter);
      loop.wake();
    },
    stop: () => loop.stop(),
  };
}

/**
 * Returns the function that delivers events. It returns a promise only if the next delivery must wait; usually it
 * returns undefined, and everything that has room is sent in one turn.
 */
function createHandover({ window, slices, onAcknowledge }: DispatcherParts, queue: Queue) {
  function afterHandover({ isAutoack }: Target, { id, events }: Handover): Promise<void> | undefined {
    if (isAutoack && window.acknowledge(id)) onAcknowledge();
    return slices.spend(handoverCost * events.length);
  }

  return (target: Target, handover: Handover): Promise<void> | undefined => {
    const sequences = handover.events.map(({ sequence }) => sequence);
    queue.send(handover.id, sequences);
    const wait = target.subscriber.deliver(handover);
    return wait === undefined ? afterHandover(target, handover) : wait.then(() => afterHandover(target, handover));
  };
}

const rested: Step = { hasWorked: false, rings: [] };
const worked: Step = { hasWorked: true, rings: [] };
