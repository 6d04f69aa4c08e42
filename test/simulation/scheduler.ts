import { createSeededRandom, type SeededRandom } from '../../src/adapters/random/seeded.js';

/** An event, as listed in the report of a failure. */
export interface TraceEntry {
  readonly atMs: number;
  readonly actor: string;
  readonly what: string;
}

export interface Scheduler {
  readonly random: SeededRandom;
  /** Virtual time since the start, in milliseconds. */
  nowMs(): number;
  /** Schedules an event; returns a function that cancels it. */
  after(delayMs: number, actor: string, what: string, action: () => void): () => void;
  /** Adds a line to the trace. */
  note(actor: string, what: string): void;
  /** Makes `run` reject with this error before the next event. The first failure counts. */
  fail(error: Error): void;
  /** Runs events in order of time, draining microtasks after each, until the condition holds or none is left. */
  run(isDone: () => boolean): Promise<void>;
  /** Events run so far. */
  steps(): number;
  /** A hash over time, actor and kind of all events and notes; equal for equal runs. */
  traceHash(): string;
  lastEvents(): readonly TraceEntry[];
}

const keptEvents = 50;

interface Scheduled extends TraceEntry {
  readonly order: number;
  action: (() => void) | undefined;
}

/**
 * The only source of order in a simulation: a heap of events, a seeded generator, and virtual time.
 *
 * @param settle waits for the work that an event has begun outside the simulation
 */
export function createScheduler(seed: number, settle?: () => Promise<void>): Scheduler {
  const random = createSeededRandom(seed);
  const heap = createHeap();
  const trace = createTrace();
  let now = 0;
  let order = 0;
  let steps = 0;
  let failure: Error | undefined;

  function complete(event: Scheduled): void {
    const action = event.action;
    event.action = undefined;
    now = event.atMs;
    steps += 1;
    trace.add(event);
    action?.();
  }

  return {
    random,
    nowMs: () => now,
    steps: () => steps,
    after(delayMs, actor, what, action) {
      const event: Scheduled = { atMs: now + Math.max(0, delayMs), order: order++, actor, what, action };
      heap.push(event);
      return () => {
        event.action = undefined;
      };
    },
    note(actor, what) {
      trace.add({ atMs: now, actor, what });
    },
    fail(error) {
      failure ??= error;
    },
    run: (isDone) =>
      new Promise((resolve, reject) => {
        // A tick queued from a microtask runs once the microtask queue is empty, so draining costs no turn of the loop.
        const drainThenStep = (): void => {
          if (settle !== undefined) {
            settle().then(step, reject);
            return;
          }
          queueMicrotask(() => {
            process.nextTick(step);
          });
        };
        const step = (): void => {
          if (failure !== undefined) {
            reject(failure);
            return;
          }
          const event = isDone() ? undefined : heap.pop();
          if (event === undefined) {
            resolve();
            return;
          }
          try {
            complete(event);
          } catch (error) {
            failure ??= error instanceof Error ? error : new Error(String(error));
          }
          drainThenStep();
        };
        drainThenStep();
      }),
    traceHash: trace.hash,
    lastEvents: trace.last,
  };
}

interface Heap {
  push(event: Scheduled): void;
  /** Returns the next event that is not cancelled. */
  pop(): Scheduled | undefined;
}

function createHeap(): Heap {
  const events: Scheduled[] = [];

  function sinkLast(): void {
    const last = events.pop();
    if (last === undefined || events.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const left = events[child];
      if (left === undefined) break;
      const right = events[child + 1];
      let earlier = left;
      if (right !== undefined && isBefore(right, left)) {
        child += 1;
        earlier = right;
      }
      if (!isBefore(earlier, last)) break;
      events[at] = earlier;
      at = child;
    }
    events[at] = last;
  }

  return {
    push(event) {
      let at = events.length;
      while (at > 0) {
        const parentAt = (at - 1) >> 1;
        const parent = events[parentAt];
        if (parent === undefined || !isBefore(event, parent)) break;
        events[at] = parent;
        at = parentAt;
      }
      events[at] = event;
    },
    pop() {
      for (let first = events[0]; first !== undefined; first = events[0]) {
        if (events.length === 1) events.pop();
        else sinkLast();
        if (first.action !== undefined) return first;
      }
      return undefined;
    },
  };
}

function isBefore(a: Scheduled, b: Scheduled): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

interface Trace {
  add(entry: TraceEntry): void;
  hash(): string;
  last(): readonly TraceEntry[];
}

function createTrace(): Trace {
  const ring: TraceEntry[] = [];
  const numbers = new Map<string, number>();
  let count = 0;
  let low = 0x811c_9dc5;
  let high = 0x9e37_79b9;

  function numberOf(text: string): number {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    let number = 0x811c_9dc5;
    for (let at = 0; at < text.length; at++) number = Math.imul(number ^ text.charCodeAt(at), 0x0100_0193);
    numbers.set(text, number);
    return number;
  }

  function mix(value: number): void {
    low = Math.imul(low ^ value, 0x0100_0193);
    high = Math.imul(((high << 7) | (high >>> 25)) ^ value, 0x85eb_ca6b);
  }

  return {
    add(entry) {
      ring[count % keptEvents] = entry;
      count += 1;
      mix(Math.floor(entry.atMs * 1_000));
      mix(numberOf(entry.actor));
      mix(numberOf(entry.what));
    },
    hash: () => [low, high].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join(''),
    last: () => [...ring.slice(count % keptEvents), ...ring.slice(0, count % keptEvents)].slice(-keptEvents),
  };
}
