/**
 * A violated invariant: a defect of this program, never of the caller or the outside world. The part that meets it
 * stops.
 */
export class InvariantError extends Error {
  constructor(sentence: string) {
    super(`This must hold and does not: ${sentence}`);
    this.name = 'InvariantError';
  }
}

/** Asserts an invariant, given as a sentence. @throws InvariantError if it does not hold */
export function assert(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new InvariantError(sentence);
}
