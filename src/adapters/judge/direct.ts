import { createJudgement, type InputOf, isSmall, type Kind } from '../../domain/judgement.js';
import { type Judge, JudgeError } from '../../ports/judge.js';

export interface DirectOptions {
  /** Decides which judgements are made synchronously; by default small ones. */
  readonly isNow?: (kind: Kind, input: InputOf<Kind>) => boolean;
}

/** Creates a judge that runs in the calling thread, for networks in one process with simulated time. */
export function createDirectJudge({ isNow = isSmall }: DirectOptions = {}): Judge {
  const judge = createJudgement();
  const closing = new AbortController();

  return {
    now: (kind, input) => (isNow(kind, input) ? judge(kind, input) : undefined),
    async ask(kind, input, { signal }) {
      await Promise.resolve();
      if (closing.signal.aborted || signal?.aborted === true)
        throw new JudgeError('stopped', 'The caller no longer waits');
      return judge(kind, input);
    },
    close() {
      closing.abort();
      return Promise.resolve();
    },
  };
}
