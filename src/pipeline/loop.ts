import { InvariantError } from '../domain/invariant.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Bell, Bus } from './bus.js';

/** The result of one step: whether to look again at once, and which stages to wake. */
export interface Step {
  readonly hasWorked: boolean;
  readonly rings: readonly Bell[];
  /** There is work that may be done after so many milliseconds, and not before. */
  readonly againAfterMs?: number | undefined;
}

export interface Loop {
  start(): void;
  /** Resolves when the step in progress has ended; none follows. */
  stop(): Promise<void>;
  /** Looks again, as if the bell had rung for this loop alone. */
  wake(): void;
  /** Whether the last look found nothing to do and no bell has rung since. */
  isIdle(): boolean;
}

export interface LoopParts {
  readonly name: string;
  readonly bell: Bell;
  readonly step: (signal: AbortSignal) => Promise<Step>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of a broken invariant: the stage has stopped and the rows are as they were. */
  readonly onDefect: (error: Error) => void;
}

/** Every loop looks for work by itself this often, so a lost ring costs time and nothing else. */
const sweepMs = 5_000;
const firstBackOffMs = 100;
const maxBackOffMs = 10_000;

/**
 * The only background loop: step while there is work, then wait for the bell or the sweep. A step that throws is
 * repeated with back-off, since its transaction left nothing behind; a broken invariant stops the loop for good.
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

  /** One timer for many rests: a busy loop rests a hundred times a second, and to end a timer costs more than it. */
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
      // A constant reason: the default one is an error with a stack.
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
