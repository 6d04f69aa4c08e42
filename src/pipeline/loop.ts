import { InvariantError } from '../domain/invariant.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Bell, Bus } from './bus.js';

/** The result of a step: whether to repeat it at once, and the bells to ring. */
export interface Step {
  readonly hasWorked: boolean;
  readonly rings: readonly Bell[];
  /** Repeat the step after this time. */
  readonly againAfterMs?: number | undefined;
}

export interface Loop {
  start(): void;
  /** Resolves when the step in progress has ended. */
  stop(): Promise<void>;
  /** Repeats the step as if the bell had rung for this loop only. */
  wake(): void;
  /** Whether the last step found nothing to do and no bell has rung since. */
  isIdle(): boolean;
}

export interface LoopParts {
  readonly name: string;
  readonly bell: Bell;
  readonly step: (signal: AbortSignal) => Promise<Step>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  /** Called on a broken invariant; the stage has stopped and its rows are unchanged. */
  readonly onDefect: (error: Error) => void;
}

/** Each loop also looks for work at this interval, so a lost ring only costs time. */
const sweepMs = 5_000;
const firstBackOffMs = 100;
const maxBackOffMs = 10_000;

/**
 * Creates a loop that repeats a step while there is work, and then waits for the bell or the next sweep. All background
 * work runs in such loops. A step that throws is repeated with back-off, since its transaction was rolled back; a
 * broken invariant ends the loop.
 */
export function createLoop({ name, bell, step, bus, clock, log, onDefect }: LoopParts): Loop {
  const stopping = new AbortController();
  const listening = bus.listen(bell);
  let idle = false;
  let isSweepDue = false;
  let isWakeDue = false;
  let running: Promise<void> = Promise.resolve();

  async function run(signal: AbortSignal): Promise<void> {
    let backOffMs = firstBackOffMs;
    while (!signal.aborted) {
      try {
        const { hasWorked, rings, againAfterMs } = await step(signal);
        bus.ring(...rings);
        backOffMs = firstBackOffMs;
        if (againAfterMs !== undefined && !isWakeDue) void wakeAfter(againAfterMs);
        if (!hasWorked) await rest();
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof InvariantError) {
          log.error('A stage has met a broken invariant and stops', { stage: name, error });
          onDefect(error);
          return;
        }
        log.warn('A step failed and will be repeated', { stage: name, backOffMs, error });
        await clock.sleep(backOffMs, signal);
        backOffMs = Math.min(backOffMs * 2, maxBackOffMs);
      }
    }
  }

  async function rest(): Promise<void> {
    if (!isSweepDue) void sweep();
    idle = !isWakeDue;
    await listening.wait();
    idle = false;
  }

  async function wakeAfter(ms: number): Promise<void> {
    isWakeDue = true;
    await clock.sleep(ms, stopping.signal);
    isWakeDue = false;
    listening.ring();
  }

  /** One timer serves many waits: a busy loop waits a hundred times a second, and cancelling a timer is expensive. */
  async function sweep(): Promise<void> {
    isSweepDue = true;
    await clock.sleep(sweepMs, stopping.signal);
    isSweepDue = false;
    listening.ring();
  }

  return {
    start() {
      running = run(stopping.signal);
    },
    async stop() {
      // A constant reason, because the default one creates an error with a stack.
      stopping.abort('stopping');
      listening.ring();
      await running;
      listening.close();
    },
    wake: () => {
      listening.ring();
    },
    isIdle: () => idle,
  };
}
