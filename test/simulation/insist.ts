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
  /** Whether a refusal is final; by default if the record exists already, or no longer exists. */
  readonly isFinal?: (error: unknown) => boolean;
  /** Called when the request has its final answer. */
  readonly done?: () => void;
}

const repeatMs = 700;

/** Repeats a request that creates or removes a record until it is answered, since answers are lost and nodes die. */
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
