import { type AnswerOf, type Kind, type JudgementOutcome, refusalOf } from '../../domain/judgement.js';
import { JudgeError } from '../../ports/judge.js';

/** The answer of an outcome. @throws ServiceError as the judgement did, JudgeError died for a defect */
export function answerOf<K extends Kind>(outcome: JudgementOutcome): AnswerOf<K> {
  if ('refusal' in outcome) throw refusalOf(outcome);
  if ('defect' in outcome) throw new JudgeError('died', outcome.defect);
  // The judgement of this kind has produced it.
  return outcome.answer as AnswerOf<K>;
}
