import type { Pipeline } from '../../src/pipeline/pipeline.js';
import { isServiceError } from '../../src/wire/errors/error.js';
import type { Simulator } from './life.js';
import type { Party } from './party.js';

export interface Insistence {
  readonly simulator: Simulator;
  readonly party: Party;
  /** The name in the trace. */
  readonly actor: string;
  readonly what: string;
  readonly act: (pipeline: Pipeline) => Promise<unknown>;
}

const repeatMs = 700;

/** Repeats a request that makes or removes something until it is answered: answers are lost, and nodes dead. */
export function insist(parts: Insistence): void {
  const { simulator, party, actor, what, act } = parts;
  const again = (): void =>
    void simulator.scheduler.after(repeatMs, actor, `${what} again`, () => {
      insist(parts);
    });
  const serving = party.serving();
  if (serving === undefined) {
    again();
    return;
  }
  let isOver = false;
  const once = (next: () => void) => (): void => {
    if (isOver) return;
    isOver = true;
    next();
  };
  serving.life.onEnd(once(again));
  act(serving.pipeline).then(
    once(() => undefined),
    (error: unknown) => {
      const isDone = isServiceError(error, 'name_taken') || isServiceError(error, 'not_found');
      once(isDone ? () => undefined : again)();
    },
  );
}
