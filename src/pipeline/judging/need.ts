import type { Asking } from '../../ports/judge.js';

/** Something that has to be judged before contexts can go on. */
export interface Need {
  /** Equal for equal judgements. */
  readonly key: string;
  /** A description of the subject. */
  readonly subject: string;
  readonly sizeBytes: number;
  /** Finds the answer and keeps it where those who need it look. Rejects with JudgeError. */
  judge(asking: Asking): Promise<void>;
}
