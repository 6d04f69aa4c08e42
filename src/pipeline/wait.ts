import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { EventRow } from '../ports/tables/tables.js';
import { ServiceError } from '../wire/errors/error.js';
import type { Bus } from './bus.js';
import type { EventLog } from './deliver/events/event-log.js';
import { createLoop, type Step } from './loop.js';

/**
 * Receives this node's events from the moment it was opened, which is before the work began whose result is awaited.
 */
export interface EventWatch {
  /**
   * Resolves with the first wanted event since opening, or since the last call, even if it has already arrived.
   *
   * @throws ServiceError confirmation_late when the signal is aborted, stopping when the node stops
   */
  next(isWanted: (event: EventRow) => boolean, signal: AbortSignal): Promise<EventRow>;
  close(): void;
}

/**
 * Lets requests wait for the results of their work (docs/api.md §6, §17). One reader of the event log serves them all.
 */
export interface Waiting {
  open(): Promise<EventWatch>;
  stop(): Promise<void>;
}

export interface WaitingParts {
  readonly eventLog: EventLog;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly onDefect: (error: Error) => void;
}

/** Creates the reader; nothing is read while no request waits. */
export function createWaiting({ eventLog, bus, clock, log, onDefect }: WaitingParts): Waiting {
  const listeners = new Set<Listener>();
  let cursor: number | undefined;
  let isStopped = false;

  async function step(): Promise<Step> {
    if (listeners.size === 0 || cursor === undefined) return { hasWorked: false, rings: [] };
    const { events, end } = await eventLog.after(cursor);
    for (const listener of listeners) listener.take(events);
    cursor = end;
    return { hasWorked: events.length > 0, rings: [] };
  }

  const loop = createLoop({ name: 'wait', bell: 'events', step, bus, clock, log, onDefect });
  loop.start();
  return {
    async open() {
      if (isStopped) throw new ServiceError('stopping', { what: 'The node is stopping' });
      const newest = await eventLog.newest();
      // A slower reader may still need older events; this listener skips those from before it was opened.
      if (listeners.size === 0 || cursor === undefined) cursor = newest;
      const listener = createListener(newest);
      listeners.add(listener);
      return { next: listener.next, close: () => void listeners.delete(listener) };
    },
    async stop() {
      isStopped = true;
      for (const listener of listeners) listener.end();
      await loop.stop();
    },
  };
}

interface Listener {
  take(events: readonly EventRow[]): void;
  end(): void;
  readonly next: EventWatch['next'];
}

function createListener(start: number): Listener {
  /** Events that arrived between calls of `next`. */
  let early: EventRow[] = [];
  let receive: ((event: EventRow) => void) | undefined;
  const ended = new AbortController();

  return {
    take(events) {
      for (const event of events) {
        if (event.sequence <= start) continue;
        if (receive === undefined) early.push(event);
        else receive(event);
      }
    },
    end: () => ended.abort(),
    next(isWanted, signal) {
      const settled = new AbortController();
      const outcome = new Promise<EventRow>((resolve, reject) => {
        receive = (event) => {
          if (!isWanted(event)) return;
          // Later events may be the next wanted one.
          receive = undefined;
          resolve(event);
        };
        const before = early;
        early = [];
        for (const event of before) {
          if (receive === undefined) early.push(event);
          else receive(event);
        }
        onAbort(signal, settled.signal, () => reject(new ServiceError('confirmation_late')));
        onAbort(ended.signal, settled.signal, () =>
          reject(new ServiceError('stopping', { what: 'The node is stopping' })),
        );
      });
      return outcome.finally(() => settled.abort());
    },
  };
}

function onAbort(signal: AbortSignal, settled: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true, signal: settled });
}
