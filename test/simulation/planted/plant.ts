/** One replacement in one file of the built code. */
export interface Patch {
  /** Relative to the root of the built code, such as `src/domain/messages/head.js`. */
  readonly file: string;
  /** Must occur exactly once in the file. Any white space matches any other. */
  readonly find: string;
  readonly replace: string;
}

/** A planted bug: the seeds must notice it. */
export interface Plant {
  /** `P` and a number for the first set, `Q` and a number for later ones. */
  readonly id: string;
  /** The misbehaviour of the broken code, as a sentence. */
  readonly bug: string;
  readonly patches: readonly Patch[];
  /** The first seed that can find it; default 1. */
  readonly from?: number;
}

/**
 * Applies a patch to the text of a file.
 *
 * @throws Error if the text to replace does not occur exactly once, because the plant is for other code
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
