import type { AnswerOf, InputOf, Kind } from '../../domain/judgement.js';
import { type Judge, JudgeError } from '../../ports/judge.js';
import { ServiceError } from '../../wire/errors/error.js';

/**
 * Makes the judgement that a request needs; `what` names its subject in errors. Rejects with the errors of the
 * judgement, or with ServiceError judge_busy, stopping or judgement_given_up.
 */
export type JudgeRequest = <K extends Kind>(kind: K, input: InputOf<K>, what: string) => Promise<AnswerOf<K>>;

/** Longer than any valid input takes, and shorter than the time limit of a request. */
const limitMs = 20_000;

/** Creates the judge of requests. Failures are returned to the caller; nothing is stored or retried. */
export function createJudgeRequest(judge: Judge): JudgeRequest {
  return async (kind, input, what) => {
    const answer = judge.now(kind, input);
    if (answer !== undefined) return answer;
    try {
      return await judge.ask(kind, input, { lane: 'requests', limitMs });
    } catch (error) {
      if (!(error instanceof JudgeError)) throw error;
      throw refusal(error, what);
    }
  };
}

function refusal({ reason }: JudgeError, what: string): ServiceError {
  if (reason === 'busy') return new ServiceError('judge_busy');
  if (reason === 'stopped') return new ServiceError('stopping', { what: 'The node is stopping' });
  return new ServiceError('judgement_given_up', { what });
}
