import type { Filter } from '../../domain/filter.js';
import type { Window } from '../../domain/window.js';
import type { Clock } from '../../ports/clock.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Log } from '../../ports/log.js';
import type { Random } from '../../ports/random.js';
import type { Handover, Subscriber } from '../../ports/subscriber.js';
import type { Bus } from '../bus.js';
import { createLoop, type Step } from '../loop.js';
import { createBatchTimer } from './batch-timer.js';
import type { Pace } from './delivery.js';
import type { EventLog } from './event-log.js';
import { eventBatch, oneEvent, type SubscriptionText } from './event-text.js';
import { createQueue, type Queue } from './queue.js';
import type { Slices } from './slices.js';

/** The connection that is served. */
export interface Target {
  readonly subscriber: Subscriber;
  /** Each event counts as acknowledged when it is handed over. */
  readonly isAutoack: boolean;
}

/** The tools that all dispatchers of a node share. */
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
  readonly pace: Pace;
  /** The connection that events go to now; while there is none, nothing is read. */
  readonly target: () => Target | undefined;
  /** Something was acknowledged by being handed over. */
  readonly onAcknowledge: () => void;
  /** Events were passed over that do not match. */
  readonly onPass: () => void;
}

/** Brings the events of one subscription to whoever is connected. */
export interface Dispatcher {
  /** Looks again: there is room, or somebody else is connected. */
  wake(): void;
  /** Other rules hold for what is not sent yet. */
  change(filter: Filter, pace: Pace): void;
  /** Resolves when what is being handed over has arrived. */
  stop(): Promise<void>;
}

/** So many events are read and rendered ahead of their turn: a full window takes less time than to read as many. */
const maxLoaded = 192;
/** Events of one batch, whatever the read-ahead. */
const maxBatchEvents = 1_000;
/** To hand an event over costs about as much as to look at so many. */
const handoverCost = 4;

/**
 * Creates a dispatcher, which starts at once. It sends through the window, in order, first the events to be repeated,
 * then those that the search finds.
 */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { eventLog, slices, window, subscription, random, failpoint } = parts;
  let { pace } = parts;
  const { namespace } = subscription.record;
  const queue = createQueue({ window, eventLog, slices, namespace, filter: parts.filter, onPass: parts.onPass });
  const hand = createHand(parts, queue);

  async function step(signal: AbortSignal): Promise<Step> {
    const target = parts.target();
    if (target === undefined || window.room === 0) return rested;
    const isStill = (): boolean => !signal.aborted && parts.target() === target;
    if (pace.batch === undefined) return sendEach(target, isStill);
    return sendBatch(target, isStill, (timeoutMs) => timer.remains(timeoutMs, signal), pace.batch.timeoutMs);
  }

  async function sendEach(target: Target, isStill: () => boolean): Promise<Step> {
    if (queue.next() === undefined) return (await queue.advance()) ? worked : rested;
    await queue.lookAhead(maxLoaded);
    const events = await eventLog.load(queue.due(maxLoaded), target.isAutoack ? maxLoaded : window.room);
    for (const event of events) {
      if (!isStill() || window.room === 0 || queue.next() !== event.event.sequence) break;
      const wait = hand(target, oneEvent(event, subscription));
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
    const size = Math.min(Math.max(pace.readAhead, 1), maxBatchEvents);
    // One at a time: a full one fills the window.
    if (window.inFlight > 0 || window.room < size) return rested;
    if (window.repeats === 0 && queue.due(size).length < size) {
      if (await queue.advance()) return worked;
      if (queue.next() === undefined || mayWait(timeoutMs)) return rested;
    }
    const events = await eventLog.load(queue.due(size), size);
    if (isStill() && queue.isDue(events)) {
      timer.clear();
      await hand(target, eventBatch(random.uuid(), events, subscription));
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
      pace = changed;
      window.resize(changed.readAhead);
      queue.change(filter);
      loop.wake();
    },
    stop: () => loop.stop(),
  };
}

/**
 * Hands over. What it answers is to be waited for before the next: most often nothing, so that what has room goes out
 * in one go and costs no promise.
 */
function createHand({ window, slices, onAcknowledge }: DispatcherParts, queue: Queue) {
  function handedOver({ isAutoack }: Target, { id, events }: Handover): Promise<void> | undefined {
    if (isAutoack && window.acknowledge(id)) onAcknowledge();
    return slices.spend(handoverCost * events.length);
  }

  return (target: Target, handover: Handover): Promise<void> | undefined => {
    const sequences = handover.events.map(({ sequence }) => sequence);
    queue.send(handover.id, sequences);
    const wait = target.subscriber.deliver(handover);
    return wait === undefined ? handedOver(target, handover) : wait.then(() => handedOver(target, handover));
  };
}

const rested: Step = { hasWorked: false, rings: [] };
const worked: Step = { hasWorked: true, rings: [] };
