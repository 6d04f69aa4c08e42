import type { Clock } from '../../ports/clock.js';
import { type Fault, faultText } from '../../wire/network/faults.js';

const lookMs = 100;

/** Applies the current faults to outgoing work. */
export interface Disturbance {
  /**
   * Resolves when no fault applies any more. The first caller that meets a blocking fault is refused at once, so that
   * its record has the reason; later callers wait and continue as soon as the fault is cleared. A delay lasts for its
   * time, or until it is cleared.
   */
  pass(find: () => readonly Fault[], signal?: AbortSignal): Promise<void>;
  /** Runs work with a signal that a blocking fault aborts, even one that is set during the work. */
  during<Result>(
    find: () => readonly Fault[],
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
}

/** Creates the disturbance of one outgoing connection; `refuse` creates the error from a sentence. */
export type Disturber = (refuse: (sentence: string) => Error) => Disturbance;

/** Creates the disturbance of one outgoing connection of a node; `refuse` creates the error from a sentence. */
export function createDisturbance(clock: Pick<Clock, 'sleep'>, refuse: (sentence: string) => Error): Disturbance {
  const told = new Set<string>();

  return {
    async pass(find, signal) {
      let waitedMs = 0;
      for (;;) {
        const faults = find();
        const forbidden = faults.find(forbids);
        const delayMs = Math.max(0, ...faults.map((fault) => fault.delayMs ?? 0)) - waitedMs;
        if (forbidden === undefined && delayMs <= 0) return;
        if (forbidden !== undefined && !told.has(nameOf(forbidden))) {
          told.add(nameOf(forbidden));
          throw refuse(sentenceOf(forbidden));
        }
        const stepMs = forbidden === undefined ? Math.min(lookMs, delayMs) : lookMs;
        await clock.sleep(stepMs, signal ?? never);
        signal?.throwIfAborted();
        waitedMs += stepMs;
      }
    },

    async during(find, signal, work) {
      const [cut, over] = [new AbortController(), new AbortController()];
      const looking = look(find, over.signal, (fault) => cut.abort(refuse(sentenceOf(fault))));
      try {
        return await work(signal === undefined ? cut.signal : AbortSignal.any([signal, cut.signal]));
      } finally {
        over.abort('over'); // a given reason avoids the stack trace of a default one
        await looking;
      }
    },
  };

  async function look(
    find: () => readonly Fault[],
    over: AbortSignal,
    onForbidden: (fault: Fault) => void,
  ): Promise<void> {
    while (!over.aborted) {
      await clock.sleep(lookMs, over);
      const forbidden = over.aborted ? undefined : find().find(forbids);
      if (forbidden !== undefined) {
        onForbidden(forbidden);
        return;
      }
    }
  }
}

const never = new AbortController().signal;

function forbids({ kind }: Fault): boolean {
  return kind !== 'delay';
}

/** Fault ids are reused after all faults were cleared. */
function nameOf({ id, since }: Fault): string {
  return `${id} ${since}`;
}

function sentenceOf(fault: Fault): string {
  const text = faultText(fault);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} by a fault that was set (stack fault list).`;
}
