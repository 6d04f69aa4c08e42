import type { AnswerOf, InputOf, Kind } from '../domain/judgement.js';

/** Who waits for a judgement: one that takes long holds up nobody on another lane. */
export type JudgeLane = 'requests' | 'downloads' | 'pinned' | 'envelopes' | 'verdicts';

export interface Asking {
  readonly lane: JudgeLane;
  /**
   * A judgement that has not ended after so long is given up. Time in which the machine runs other programs need not
   * count.
   */
  readonly limitMs: number;
  /** Aborted when nobody waits any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Why there is no answer, which says nothing about what was to be judged. `busy`: too many wait already; `late`: the
 * limit is over; `died`: it has ended whoever judges, by a defect or for lack of memory; `stopped`: nobody waits.
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
 * Judges what costs as much as whoever has written it wants (`domain/judgement.ts`). The answer follows from the
 * question alone; where it is found decides nothing but who goes on meanwhile.
 */
export interface Judge {
  /**
   * The answer to a question that takes a few milliseconds at most, at once; undefined: it must be asked.
   *
   * @throws ServiceError as the judgement does
   */
  now<K extends Kind>(kind: K, input: InputOf<K>): AnswerOf<K> | undefined;

  /**
   * The answer, while everything else goes on. Those of a lane are answered one after the other, in order. Rejects with
   * the ServiceError of the judgement, or with JudgeError.
   */
  ask<K extends Kind>(kind: K, input: InputOf<K>, asking: Asking): Promise<AnswerOf<K>>;

  /** Ends what is under way: it rejects with JudgeError `stopped`, and so does whatever is asked later. */
  close(): Promise<void>;
}
