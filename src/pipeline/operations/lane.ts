import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { createDelays, type Delay } from './delay.js';

export interface ServiceAway {
  readonly lane: string;
  readonly since: string;
  readonly error: string;
}

export interface Attempted {
  /** Attempts before the last restart count as one. */
  readonly attempts: number;
  /** Milliseconds until the next attempt; undefined if it is running or has no time set. */
  readonly nextInMs?: number;
}

/**
 * The in-memory state of one queue: operations in progress and operations to retry. After a restart it is empty and
 * everything is tried at once.
 */
export interface Lane {
  readonly name: string;
  readonly maxInFlight: number;
  /** How many operations may start now; 0 while the service is away. */
  room(): number;
  /** Forgets ended operations; called before rows are read, which then contain those ends. */
  forgetEnded(): void;
  /** Whether the operation is not running, has not ended since the rows were read, and is not delayed. */
  isFree(id: string): boolean;
  /** Records that the queue is longer than the room, so the next end of an operation calls `onRoom`. */
  expectMore(): void;
  /** Counts `work` as running until it ends. It must not reject. */
  begin(id: string, work: Promise<void>): void;
  /** Blocks the lane because the service does not answer, for a longer time after each wave of attempts. */
  backOff(error: string): void;
  /** Ends the back-off because the service has answered. */
  recover(): void;
  /** Marks the operation for a retry as soon as there is room. */
  repeat(id: string): void;
  /** Marks the operation for a retry after its own growing delay. */
  delay(id: string): void;
  /**
   * Like `delay`, for content that is missing or has wrong bytes: the delays grow further, and few such operations run
   * at a time, so that they delay no others. All of them are retried at once when one ends, or when the service was
   * away and is back, because it may then have the right bytes.
   */
  delayUnavailable(id: string): void;
  /** Removes the operation from the retries. */
  forget(id: string): void;
  /** Whether operations are to be retried, now or later. */
  hasRepeats(): boolean;
  /** Returns up to `limit` operations to retry now, least recently tried first. */
  due(limit: number): string[];
  attemptsOf(id: string): Attempted;
  away(): ServiceAway | undefined;
  underWay(): readonly string[];
  /** Waits until nothing is running, and cancels all delays. */
  stop(): Promise<void>;
  inFlight(): number;
}

export interface LaneParts {
  readonly name: string;
  readonly maxInFlight: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when an operation may be able to start. */
  readonly onRoom: () => void;
}

const maxUnavailableBackOffMs = 600_000;

export function createLane({ name, maxInFlight, clock, log, onRoom }: LaneParts): Lane {
  const underWay = new Map<string, Promise<void>>();
  const repeats = createRepeats();
  /** Ended since `forgetEnded`: rows that were read meanwhile may not contain the end. */
  const ended = new Set<string>();
  const delays = createDelays(clock, onRoom);
  const unavailable = createUnavailable(underWay, maxInFlight);
  let mayHaveMore = false;
  let laneDelay: Delay | undefined;
  let away: ServiceAway | undefined;

  function isFree(id: string): boolean {
    return !underWay.has(id) && !ended.has(id) && delays.isOver(repeats.delayOf(id));
  }

  return {
    name,
    maxInFlight,
    room: () => (delays.isOver(laneDelay) ? maxInFlight - underWay.size : 0),
    isFree,
    forgetEnded: () => ended.clear(),
    expectMore: () => void (mayHaveMore = true),
    begin(id, work) {
      const tracked = work.finally(() => {
        underWay.delete(id);
        ended.add(id);
        if (mayHaveMore || unavailable.isAny()) onRoom();
        mayHaveMore = false;
      });
      underWay.set(id, tracked);
    },
    backOff(error) {
      if (away === undefined) log.warn('A service is away; its operations wait', { lane: name, error });
      away = { lane: name, since: away?.since ?? clock.now(), error };
      // Operations that ran together fail together, which is one failure of the service.
      if (delays.isOver(laneDelay)) laneDelay = delays.longer(laneDelay);
    },
    recover() {
      if (away === undefined) return;
      log.info('A service is back', { lane: name });
      away = undefined;
      laneDelay = undefined;
      repeats.endDelays(unavailable.ids());
      onRoom();
    },
    repeat: (id) => repeats.putLast(id, repeats.delayOf(id)),
    delay: (id) => repeats.putLast(id, delays.longer(repeats.delayOf(id))),
    delayUnavailable(id) {
      unavailable.add(id);
      repeats.putLast(id, delays.longer(repeats.delayOf(id), maxUnavailableBackOffMs));
    },
    forget(id) {
      if (unavailable.delete(id)) repeats.endDelays(unavailable.ids());
      repeats.forget(id);
    },
    hasRepeats: () => repeats.isAny(),
    due: (limit) => firstOf(repeats.ids(), unavailable.withRoom(isFree), limit),
    attemptsOf(id) {
      const nextInMs = Math.max(delays.leftMs(repeats.delayOf(id)), delays.leftMs(laneDelay));
      return attempted(repeats.attemptsOf(id), underWay.has(id), nextInMs);
    },
    away: () => away,
    underWay: () => [...underWay.keys()],
    async stop() {
      await Promise.all(underWay.values());
      // Last, because running work may have started another delay.
      delays.end();
    },
    inFlight: () => underWay.size,
  };
}

function attempted(attempts: number, isUnderWay: boolean, nextInMs: number): Attempted {
  if (isUnderWay) return { attempts: attempts + 1 };
  return nextInMs > 0 ? { attempts, nextInMs } : { attempts };
}

/** The operations whose content was missing or wrong; at most a quarter of the lane. */
function createUnavailable(underWay: ReadonlyMap<string, unknown>, maxInFlight: number) {
  const ids = new Set<string>();
  const max = Math.max(1, Math.floor(maxInFlight / 4));
  return {
    add: (id: string) => void ids.add(id),
    delete: (id: string) => ids.delete(id),
    ids: () => ids.values(),
    isAny: () => ids.size > 0,
    /** Restricts a condition so that one selection gets only as many of them as there is room for. */
    withRoom(isFree: (id: string) => boolean): (id: string) => boolean {
      let room = max - [...ids].filter((id) => underWay.has(id)).length;
      return (id) => isFree(id) && (!ids.has(id) || room-- > 0);
    },
  };
}

function firstOf(ids: Iterable<string>, isMeant: (id: string) => boolean, limit: number): string[] {
  const found: string[] = [];
  for (const id of ids) {
    if (found.length === limit) break;
    if (isMeant(id)) found.push(id);
  }
  return found;
}

/** The operations to retry, least recently tried first, with their delays. */
function createRepeats() {
  const waiting = new Map<string, { readonly attempts: number; readonly delay: Delay | undefined }>();
  const attemptsOf = (id: string): number => waiting.get(id)?.attempts ?? 0;
  return {
    attemptsOf,
    delayOf: (id: string) => waiting.get(id)?.delay,
    isAny: () => waiting.size > 0,
    ids: () => waiting.keys(),
    putLast(id: string, delay: Delay | undefined): void {
      const attempts = attemptsOf(id) + 1;
      waiting.delete(id);
      waiting.set(id, { attempts, delay });
    },
    endDelays(ids: Iterable<string>): void {
      for (const id of ids) waiting.set(id, { attempts: attemptsOf(id), delay: undefined });
    },
    forget: (id: string) => void waiting.delete(id),
  };
}
