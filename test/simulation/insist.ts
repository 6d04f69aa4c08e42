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
  /** Whether a refusal is final; by default that something is there already, or is gone. */
  readonly isFinal?: (error: unknown) => boolean;
  /** Called once it is answered for good. */
  readonly done?: () => void;
}

const repeatMs = 700;

/** Repeats a request that makes or removes something until it is answered: answers are lost, and nodes dead. */
export function insist(parts: Insistence): void {
  const { simulator, party, actor, what, act, isFinal = isThereOrGone, done = () => undefined } = parts;
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
  act(serving.pipeline).then(once(done), (error: unknown) => once(() => (isFinal(error) ? done : again)())());
}

function isThereOrGone(error: unknown): boolean {
  return isServiceError(error, 'name_taken') || isServiceError(error, 'not_found');
}
