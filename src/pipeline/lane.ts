import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';

/** A service that does not answer, since when, and what it said last. */
export interface ServiceAway {
  readonly lane: string;
  readonly since: string;
  readonly error: string;
}

/**
 * What the runner knows of one queue while the process lives: what is under way, and what must wait. After a restart it
 * is empty and everything is tried at once.
 */
export interface Lane {
  readonly name: string;
  readonly maxInFlight: number;
  /** How many more may begin now; 0 while the other end is away. */
  room(): number;
  /** Whether this operation is neither under way nor told to wait. */
  isFree(id: string): boolean;
  /** Counts `work` as under way until it ends. It must not reject. */
  begin(id: string, work: Promise<void>): void;
  /** The other end does not answer: nothing begins until a growing delay has passed. */
  backOff(error: string): void;
  /** The other end has answered. */
  recover(): void;
  /** This operation alone waits, longer each time. */
  delay(id: string): void;
  forget(id: string): void;
  /** Whether there may be operations that were tried before: after a start, and once one has failed. */
  hasRepeats(): boolean;
  /** There are none now. */
  forgetRepeats(): void;
  away(): ServiceAway | undefined;
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

const firstBackOffMs = 100;
const maxBackOffMs = 10_000;

interface Delay {
  readonly backOffMs: number;
  readonly untilMs: number;
}

/** An empty lane. */
export function createLane({ name, maxInFlight, clock, log, onRoom }: LaneParts): Lane {
  const underWay = new Map<string, Promise<void>>();
  const delays = new Map<string, Delay>();
  const waits = new Set<AbortController>();
  let hasRepeats = true;
  let laneDelay: Delay | undefined;
  let away: ServiceAway | undefined;

  /** The end of a delay rings, so nothing polls. */
  function longer(previous: Delay | undefined): Delay {
    hasRepeats = true;
    const backOffMs = previous === undefined ? firstBackOffMs : Math.min(previous.backOffMs * 2, maxBackOffMs);
    const waiting = new AbortController();
    waits.add(waiting);
    void clock.sleep(backOffMs, waiting.signal).then(() => {
      waits.delete(waiting);
      onRoom();
    });
    return { backOffMs, untilMs: clock.monotonicMs() + backOffMs };
  }
  function isOver(delay: Delay | undefined): boolean {
    return delay === undefined || delay.untilMs <= clock.monotonicMs();
  }

  return {
    name,
    maxInFlight,
    room: () => (isOver(laneDelay) ? maxInFlight - underWay.size : 0),
    isFree: (id) => !underWay.has(id) && isOver(delays.get(id)),
    begin(id, work) {
      const tracked = work.finally(() => {
        underWay.delete(id);
        onRoom();
      });
      underWay.set(id, tracked);
    },
    backOff(error) {
      if (away === undefined) log.warn('A service is away; its operations wait', { lane: name, error });
      away = { lane: name, since: away?.since ?? clock.now(), error };
      laneDelay = longer(laneDelay);
    },
    recover() {
      if (away !== undefined) log.info('A service is back', { lane: name });
      away = undefined;
      laneDelay = undefined;
    },
    delay: (id) => void delays.set(id, longer(delays.get(id))),
    forget: (id) => void delays.delete(id),
    hasRepeats: () => hasRepeats,
    forgetRepeats: () => void (hasRepeats = false),
    away: () => away,
    async stop() {
      for (const waiting of waits) waiting.abort('stopping');
      await Promise.all(underWay.values());
    },
    inFlight: () => underWay.size,
  };
}
