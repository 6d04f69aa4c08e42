import { createInterface, type Interface } from 'node:readline';
import { CliError } from './exit.js';
import type { Surroundings } from './target.js';

export interface ConfirmWords {
  readonly yes: boolean;
  readonly 'no-input': boolean;
}

export interface Question {
  /** What will be done. */
  readonly text: string;
  /** What must be typed; default: y. */
  readonly answer?: string;
}

/**
 * Asks before something is destroyed; `--yes` is the answer. Only where stdin and stderr are terminals (cli.md, 3.8).
 *
 * @throws CliError USAGE when it cannot be asked, or the answer is another
 */
export async function confirm(question: Question, words: ConfirmWords, surroundings: Surroundings): Promise<void> {
  if (words.yes) return;
  const { output, environment } = surroundings;
  const canAsk = process.stdin.isTTY && output.err.isTerminal && environment['CI'] !== 'true' && !words['no-input'];
  if (!canAsk) throw new CliError('USAGE', `${question.text} This must be confirmed.`, { hint: 'Add --yes.' });
  const wanted = question.answer ?? 'y';
  const choice = question.answer === undefined ? '[y/N]' : `Type ${question.answer} to go on:`;
  const lines = createInterface({ input: process.stdin });
  try {
    await output.err.write(`${question.text} ${choice} `);
    const typed = (await firstOf(lines)).trim();
    if (typed === wanted || (wanted === 'y' && /^y(?:es)?$/i.test(typed))) return;
  } finally {
    lines.close();
  }
  throw new CliError('USAGE', 'Nothing was done.');
}

/** The first line; an empty one when stdin ends before. */
function firstOf(lines: Interface): Promise<string> {
  return new Promise((resolve) => {
    lines.once('line', resolve).once('close', () => {
      resolve('');
    });
  });
}
