import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { createDelays, type Delay } from './delay.js';

/** A service that does not answer, since when, and what it said last. */
export interface ServiceAway {
  readonly lane: string;
  readonly since: string;
  readonly error: string;
}

/** The attempts so far of an operation that has not ended. */
export interface Attempted {
  /** The attempts of earlier runs count as one. */
  readonly attempts: number;
  /** Milliseconds until it is tried again; undefined while that depends on others, or it is under way. */
  readonly nextInMs?: number;
}

/**
 * The runner's state of one queue while the process runs: the operations in progress, and those that must wait. After a
 * restart it is empty and everything is tried at once.
 */
export interface Lane {
  readonly name: string;
  readonly maxInFlight: number;
  /** How many more may begin now; 0 while the other end is away. */
  room(): number;
  /** From now on rows are read anew: what has ended until now is in them. */
  forgetEnded(): void;
  /** Whether this operation is neither under way, nor ended since the rows were read, nor told to wait. */
  isFree(id: string): boolean;
  /** More waits than there was room for: the next end of an operation makes room for it. */
  expectMore(): void;
  /** Counts `work` as under way until it ends. It must not reject. */
  begin(id: string, work: Promise<void>): void;
  /** The other end does not answer: nothing begins until a growing delay has passed. */
  backOff(error: string): void;
  /** The other end has answered. */
  recover(): void;
  /** This operation was tried, and is to be tried again as soon as there is room. */
  repeat(id: string): void;
  /** This operation is to be tried again after a delay of its own, longer each time. */
  delay(id: string): void;
  /**
   * The same where something else came than was asked for: the delays grow further, and few such operations are under
   * way at once, so that they hold up no other. All of them are tried at once when one of them ends, or when the other
   * end was away and is back: it answers otherwise than before.
   */
  delayWrong(id: string): void;
  /** It is not to be tried again. */
  forget(id: string): void;
  /** Operations to try again now, at most `limit`; first those whose last attempt is longest ago. */
  due(limit: number): string[];
  /** How often it was tried in this life, and how long it waits for the next time. */
  attemptsOf(id: string): Attempted;
  away(): ServiceAway | undefined;
  /** Ids of what is under way. */
  underWay(): readonly string[];
  /** Ends all delays, and resolves when nothing is under way. */
  stop(): Promise<void>;
  inFlight(): number;
}

export interface LaneParts {
  readonly name: string;
  readonly maxInFlight: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when something may have become free. */
  readonly onRoom: () => void;
}

const maxWrongBackOffMs = 600_000;

/** An empty lane. */
export function createLane({ name, maxInFlight, clock, log, onRoom }: LaneParts): Lane {
  const underWay = new Map<string, Promise<void>>();
  const repeats = createRepeats();
  /** Since `forgetEnded`: a row that was read meanwhile may be from before the end. */
  const ended = new Set<string>();
  const delays = createDelays(clock, onRoom);
  const wrong = createWrong(underWay, maxInFlight);
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
        if (mayHaveMore || wrong.isAny()) onRoom();
        mayHaveMore = false;
      });
      underWay.set(id, tracked);
    },
    backOff(error) {
      if (away === undefined) log.warn('A service is away; its operations wait', { lane: name, error });
      away = { lane: name, since: away?.since ?? clock.now(), error };
      laneDelay = delays.longer(laneDelay);
    },
    recover() {
      if (away === undefined) return;
      log.info('A service is back', { lane: name });
      away = undefined;
      laneDelay = undefined;
      repeats.endDelays(wrong.ids());
      onRoom();
    },
    repeat: (id) => repeats.putLast(id, repeats.delayOf(id)),
    delay: (id) => repeats.putLast(id, delays.longer(repeats.delayOf(id))),
    delayWrong(id) {
      wrong.add(id);
      repeats.putLast(id, delays.longer(repeats.delayOf(id), maxWrongBackOffMs));
    },
    forget(id) {
      if (wrong.delete(id)) repeats.endDelays(wrong.ids());
      repeats.forget(id);
    },
    due: (limit) => firstOf(repeats.ids(), wrong.withRoom(isFree), limit),
    attemptsOf(id) {
      const nextInMs = Math.max(delays.leftMs(repeats.delayOf(id)), delays.leftMs(laneDelay));
      return attempted(repeats.attemptsOf(id), underWay.has(id), nextInMs);
    },
    away: () => away,
    underWay: () => [...underWay.keys()],
    async stop() {
      await Promise.all(underWay.values());
      // Last, since what was under way may have begun one more.
      delays.end();
    },
    inFlight: () => underWay.size,
  };
}

function attempted(attempts: number, isUnderWay: boolean, nextInMs: number): Attempted {
  if (isUnderWay) return { attempts: attempts + 1 };
  return nextInMs > 0 ? { attempts, nextInMs } : { attempts };
}

/** The operations that brought other bytes than were asked for; they take a quarter of the lane at most. */
function createWrong(underWay: ReadonlyMap<string, unknown>, maxInFlight: number) {
  const ids = new Set<string>();
  const max = Math.max(1, Math.floor(maxInFlight / 4));
  return {
    add: (id: string) => void ids.add(id),
    delete: (id: string) => ids.delete(id),
    ids: () => ids.values(),
    isAny: () => ids.size > 0,
    /** Narrows a condition for one selection, which takes no more of them than there is room for now. */
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

/** The operations to be repeated, in the order of their last attempts, each with its delay if it has one. */
function createRepeats() {
  const waiting = new Map<string, { readonly attempts: number; readonly delay: Delay | undefined }>();
  const attemptsOf = (id: string): number => waiting.get(id)?.attempts ?? 0;
  return {
    attemptsOf,
    delayOf: (id: string) => waiting.get(id)?.delay,
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
