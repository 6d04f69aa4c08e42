import type { Asking } from '../../ports/judge.js';

export interface Need {
  /** Equal for equal questions. */
  readonly key: string;
  /** Description for users. */
  readonly subject: string;
  readonly sizeBytes: number;
  /** Makes the judgement and caches the answer. Rejects with JudgeError. */
  judge(asking: Asking): Promise<void>;
}
