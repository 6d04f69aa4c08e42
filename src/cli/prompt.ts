import { createInterface, type Interface } from 'node:readline';
import { textOf } from '../wire/json.js';
import { CliError } from './exit.js';
import { result } from './output.js';
import type { Surroundings } from './target.js';
import { safe } from './text.js';

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

/** The stream that answers are read from. */
export type AnswerInput = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/**
 * Asks before something is destroyed; `--yes` is the answer. Only where stdin and stderr are terminals (cli.md, 3.8).
 * Answers whether to go on; with any other answer it says that nothing changed.
 *
 * @throws CliError USAGE when it cannot be asked, INTERRUPTED when stdin ends before an answer
 */
export async function confirm(
  question: Question,
  words: ConfirmWords,
  surroundings: Surroundings,
  input: AnswerInput = process.stdin,
): Promise<boolean> {
  if (words.yes) return true;
  const { output } = surroundings;
  if (!canAsk(words, surroundings, input))
    throw new CliError('USAGE', `${question.text} This must be confirmed.`, { hint: 'Add --yes.' });
  const wanted = question.answer ?? 'y';
  const choice = question.answer === undefined ? '[y/N]' : `Type ${question.answer} to go on:`;
  const lines = createInterface({ input });
  try {
    await output.err.write(`${question.text} ${choice} `);
    const typed = (await firstOf(lines))?.trim();
    if (typed === undefined) {
      await output.err.write('\n');
      throw new CliError('INTERRUPTED', 'No answer was given.', { isSaid: true });
    }
    if (typed === wanted || (wanted === 'y' && /^y(?:es)?$/i.test(typed))) return true;
  } finally {
    lines.close();
  }
  if (output.isJson) await output.json(textOf(result({ changed: false })));
  else await output.note('Nothing changed.');
  return false;
}

/** Whether a person is there to answer: stdin and stderr are terminals, and nobody has forbidden questions. */
export function canAsk(
  words: Pick<ConfirmWords, 'no-input'>,
  { output, environment }: Surroundings,
  input: AnswerInput = process.stdin,
): boolean {
  const isForbidden = words['no-input'] || environment['CI'] === 'true' || (environment['STACK_NO_INPUT'] ?? '') !== '';
  return input.isTTY === true && output.err.isTerminal && !isForbidden;
}

export interface OpenQuestion {
  readonly text: string;
  /** The answer of who only presses Enter. */
  readonly initial: string;
  /** Throws an error with a sentence for what is no answer; then the question comes again. */
  readonly check: (answer: string) => unknown;
}

/** Asks one question after the other. */
export interface Questions {
  /** The answer, once there is one that passes its check. @throws CliError INTERRUPTED when stdin ends before */
  ask(question: OpenQuestion): Promise<string>;
  close(): void;
}

/** Questions to the person at the terminal; must be closed. */
export function openQuestions({ output }: Surroundings, input: AnswerInput = process.stdin): Questions {
  const lines = createInterface({ input });
  const answers = lines[Symbol.asyncIterator]();
  return {
    async ask({ text, initial, check }) {
      for (;;) {
        await output.err.write(`${text} [${initial}]: `);
        const next = await answers.next();
        if (next.done === true) {
          await output.err.write('\n');
          throw new CliError('INTERRUPTED', 'No answer was given.', { isSaid: true });
        }
        const answer = next.value.trim() === '' ? initial : next.value.trim();
        try {
          check(answer);
          return answer;
        } catch (error) {
          await output.err.write(`  ${safe(error instanceof Error ? error.message : String(error))}\n`);
        }
      }
    },
    close: () => {
      lines.close();
    },
  };
}

/** The first line; undefined when the input ends before (Ctrl-D). */
function firstOf(lines: Interface): Promise<string | undefined> {
  return new Promise((resolve) => {
    lines.once('line', resolve).once('close', () => {
      resolve(undefined);
    });
  });
}
