/** Something that must hold does not: our fault, never the caller's or the world's. What met it stops. */
export class InvariantError extends Error {
  constructor(sentence: string) {
    super(`This must hold and does not: ${sentence}`);
    this.name = 'InvariantError';
  }
}

/** States what must hold, as a sentence. @throws InvariantError when it does not */
export function assert(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new InvariantError(sentence);
}
