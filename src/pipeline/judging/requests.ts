import type { AnswerOf, InputOf, Kind } from '../../domain/judgement.js';
import { type Judge, JudgeError } from '../../ports/judge.js';
import { ServiceError } from '../../wire/error.js';

/**
 * Waits for the judgement that a request needs; `what` names its subject in the error.
 *
 * It throws the errors of the judgement, and ServiceError judge_busy, judgement_given_up.
 */
export type JudgeRequest = <K extends Kind>(kind: K, input: InputOf<K>, what: string) => Promise<AnswerOf<K>>;

/** Longer than anything takes that the limits of a network allow, and shorter than a request may. */
const limitMs = 20_000;

/** The judgements of requests. Whoever asks hears of it when there is none: nothing is stored or tried again. */
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
