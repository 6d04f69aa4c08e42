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
import { eventBatch, oneEvent, type SubscriptionText, type WholeEvent } from './event-text.js';
import { createSearch } from './search.js';
import type { Slices } from './slices.js';

/** The connection that is served. */
export interface Target {
  readonly subscriber: Subscriber;
  /** Each event counts as acknowledged when it is handed over. */
  readonly isAutoack: boolean;
}

/** What every dispatcher of a node uses. */
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

/** How many events are read and rendered at once ahead of their turn. */
const maxLoaded = 64;
/** Events of one batch, whatever the read-ahead. */
const maxBatchEvents = 1_000;
/** To hand an event over costs about as much as to look at so many. */
const handoverCost = 4;

/** What waits to be sent again, then what the search finds, through the window, in order. It begins at once. */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { eventLog, slices, window, subscription, failpoint, random } = parts;
  let { pace } = parts;
  const { namespace } = subscription.record;
  const search = createSearch({ eventLog, slices, namespace, filter: parts.filter, start: window.seen });

  async function step(signal: AbortSignal): Promise<Step> {
    const target = parts.target();
    if (target === undefined || window.room === 0) return rested;
    return pace.batch === undefined ? sendEach(target, signal) : sendBatch(target, pace.batch.timeoutMs, signal);
  }

  async function sendEach(target: Target, signal: AbortSignal): Promise<Step> {
    if (due(1).length === 0) {
      const isMore = await search.advance();
      passOver();
      return isMore ? worked : rested;
    }
    const wanted = due(maxLoaded);
    const events = await eventLog.load(wanted, target.isAutoack ? maxLoaded : window.room);
    for (const event of events) {
      // What was read may have its turn later, or be judged anew.
      if (!isStill(target, signal) || window.room === 0 || !isDue([event])) break;
      await hand(target, oneEvent(event, subscription));
    }
    passOver();
    return worked;
  }

  async function sendBatch(target: Target, timeoutMs: number, signal: AbortSignal): Promise<Step> {
    const size = Math.min(Math.max(pace.readAhead, 1), maxBatchEvents);
    // One at a time: a full one fills the window.
    if (window.inFlight > 0 || window.room < size) return rested;
    if (window.repeats === 0 && search.found.length < size) {
      if (await search.advance()) {
        passOver();
        return worked;
      }
      if (search.found.length === 0 || timer.remains(timeoutMs, signal)) return rested;
    }
    const events = await eventLog.load(due(size), size);
    if (isStill(target, signal) && isDue(events)) {
      timer.clear();
      await hand(target, eventBatch(random.uuid(), events, subscription));
    }
    passOver();
    return worked;
  }

  /** What is to be sent next, lowest first. */
  function due(count: number): readonly number[] {
    return window.repeats > 0 ? window.nextRepeats(count) : search.found.slice(0, count);
  }

  function isDue(events: readonly WholeEvent[]): boolean {
    const sequences = due(events.length);
    return events.every(({ logged }, index) => logged.event.sequence === sequences[index]);
  }

  function isStill(target: Target, signal: AbortSignal): boolean {
    return !signal.aborted && parts.target() === target;
  }

  async function hand(target: Target, handover: Handover): Promise<void> {
    const sequences = handover.events.map(({ event }) => event.sequence);
    if (window.repeats === 0) search.take(sequences.length);
    window.send(handover.id, sequences);
    await target.subscriber.deliver(handover);
    await failpoint.reach('deliver.after-send');
    if (target.isAutoack && window.acknowledge(handover.id)) parts.onAcknowledge();
    await slices.spend(handoverCost * sequences.length);
  }

  /** What was looked at and does not match is behind us. */
  function passOver(): void {
    if (search.found.length > 0) return;
    window.pass(search.end);
    parts.onPass();
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
      search.restart(window.seen, filter);
      loop.wake();
    },
    stop: () => loop.stop(),
  };
}

const rested: Step = { hasWorked: false, rings: [] };
const worked: Step = { hasWorked: true, rings: [] };
