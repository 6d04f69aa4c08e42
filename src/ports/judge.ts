import type { AnswerOf, InputOf, Kind } from '../domain/judgement.js';

/** The queue of a judgement; a long judgement delays only its own lane. */
export type JudgeLane = 'requests' | 'downloads' | 'pinned' | 'envelopes' | 'verdicts';

export interface Asking {
  readonly lane: JudgeLane;
  /** Time limit, after which a judgement is given up. Time in which the machine runs other programs need not count. */
  readonly limitMs: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The reason why there is no answer, which implies nothing about the input. `busy`: too many are waiting; `late`: the
 * time limit was exceeded; `died`: the judging thread ended by a defect or for lack of memory; `stopped`: nobody waits.
 */
export class JudgeError extends Error {
  constructor(
    readonly reason: 'busy' | 'late' | 'died' | 'stopped',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'JudgeError';
  }
}

/**
 * Makes judgements whose cost depends on untrusted input (`domain/judgement.ts`). The answer depends on the input
 * alone; where it is computed only affects what else can run meanwhile.
 */
export interface Judge {
  /**
   * Answers synchronously if that takes a few milliseconds at most; undefined = use `ask`.
   *
   * @throws ServiceError as the judgement does
   */
  now<K extends Kind>(kind: K, input: InputOf<K>): AnswerOf<K> | undefined;

  /**
   * Answers without blocking other work. The judgements of a lane run one after the other, in order. Rejects with the
   * ServiceError of the judgement, or with JudgeError.
   */
  ask<K extends Kind>(kind: K, input: InputOf<K>, asking: Asking): Promise<AnswerOf<K>>;

  /** Ends running judgements; they and all later ones reject with JudgeError `stopped`. */
  close(): Promise<void>;
}
