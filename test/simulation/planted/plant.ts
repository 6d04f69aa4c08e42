/** One replacement in one file of the built code. */
export interface Patch {
  /** From the root of the built code, as in `src/domain/head.js`. */
  readonly file: string;
  /** Stands in the file exactly once. White space of any kind and amount matches any other. */
  readonly find: string;
  readonly replace: string;
}

/** A bug put in on purpose: the proof that the seeds notice such a bug. */
export interface Plant {
  /** `P` and a number for those that were thought of first, `Q` and a number for those that came later. */
  readonly id: string;
  /** What the broken code does, as a sentence. */
  readonly bug: string;
  readonly patches: readonly Patch[];
  /** The first of the seeds that can notice it; 1 where nothing else is said. */
  readonly from?: number;
}

/**
 * The text of a file with a patch made.
 *
 * @throws Error when the place is not there exactly once: the plant is for other code than this.
 */
export function patched(text: string, { file, find, replace }: Patch): string {
  const [before = '', ...after] = text.split(patternOf(find));
  if (after.length !== 1) throw new Error(`${file} has the text of a plant ${after.length} times, not once: ${find}`);
  return `${before}${replace}${after.join('')}`;
}

function patternOf(find: string): RegExp {
  const words = find
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(words.join(String.raw`\s+`));
}
