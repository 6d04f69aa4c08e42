import type { confirmFlags } from '../flags.js';
import type { FlagsOf } from '../flag-types.js';
import { createInterface, type Interface } from 'node:readline';
import { textOf } from '../../wire/json/json.js';
import { CliError } from '../errors/exit.js';
import { result } from './output.js';
import type { CommandContext } from '../requests/target.js';
import { safe } from './text.js';

export type ConfirmFlags = FlagsOf<typeof confirmFlags>;

export interface Question {
  /** The consequence, as a sentence. */
  readonly text: string;
  /** The required answer; default: y. */
  readonly answer?: string;
  /** The hint if no question can be asked; default: to add --yes. */
  readonly hint?: string;
}

/** The stream that answers are read from. */
export type AnswerInput = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/**
 * Asks before something is destroyed; `--yes` skips the question. Requires that stdin and stderr are terminals
 * (docs/operations.md §11.2). Returns whether to continue; if not, prints that nothing changed.
 *
 * @throws CliError USAGE if it cannot ask, INTERRUPTED if stdin ends before an answer
 */
export async function confirm(
  question: Question,
  flags: ConfirmFlags,
  context: CommandContext,
  input: AnswerInput = process.stdin,
): Promise<boolean> {
  if (flags.yes) return true;
  const { output } = context;
  if (!canAsk(flags, context, input))
    throw new CliError('USAGE', `${question.text} This must be confirmed.`, {
      hint: question.hint ?? 'Add --yes.',
    });
  const wanted = question.answer ?? 'y';
  const choice = question.answer === undefined ? '[y/N]' : `Type ${question.answer} to continue:`;
  const lines = createInterface({ input });
  try {
    await output.err.write(`${question.text} ${choice} `);
    const typed = (await firstOf(lines))?.trim();
    if (typed === undefined) {
      await output.err.write('\n');
      throw new CliError('INTERRUPTED', 'No answer was given.', { isPrinted: true });
    }
    if (typed === wanted || (wanted === 'y' && /^y(?:es)?$/i.test(typed))) return true;
  } finally {
    lines.close();
  }
  if (output.isJson) await output.json(textOf(result({ changed: false })));
  else await output.note('Nothing changed.');
  return false;
}

/** Whether questions can be asked: stdin and stderr are terminals, and questions are not disabled. */
export function canAsk(
  flags: Pick<ConfirmFlags, 'no-input'>,
  { output, environment }: CommandContext,
  input: AnswerInput = process.stdin,
): boolean {
  const isForbidden = flags['no-input'] || environment['CI'] === 'true' || (environment['STACK_NO_INPUT'] ?? '') !== '';
  return input.isTTY === true && output.err.isTerminal && !isForbidden;
}

export interface OpenQuestion {
  readonly text: string;
  /** The default answer, for an empty line. */
  readonly initial: string;
  /** Throws an error for an invalid answer; its message is printed and the question repeated. */
  readonly check: (answer: string) => unknown;
}

export interface Questions {
  /** Returns the first valid answer. @throws CliError INTERRUPTED if stdin ends before */
  ask(question: OpenQuestion): Promise<string>;
  close(): void;
}

/** Opens questions at the terminal; must be closed. */
export function openQuestions({ output }: CommandContext, input: AnswerInput = process.stdin): Questions {
  const lines = createInterface({ input });
  const answers = lines[Symbol.asyncIterator]();
  return {
    async ask({ text, initial, check }) {
      for (;;) {
        await output.err.write(`${text} [${initial}]: `);
        const next = await answers.next();
        if (next.done === true) {
          await output.err.write('\n');
          throw new CliError('INTERRUPTED', 'No answer was given.', { isPrinted: true });
        }
        const answer = next.value.trim() === '' ? initial : next.value.trim();
        try {
          check(answer);
          return answer;
        } catch (error) {
          await output.err.write(`  ${safe(reasonOf(error))}\n`);
        }
      }
    },
    close: () => {
      lines.close();
    },
  };
}

/** Why an answer is invalid, with the hint of the error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'hint' in error && typeof error.hint === 'string' ? `${error.message} ${error.hint}` : error.message;
}

/** The first line; undefined at the end of the input (Ctrl-D). */
function firstOf(lines: Interface): Promise<string | undefined> {
  return new Promise((resolve) => {
    lines.once('line', resolve).once('close', () => {
      resolve(undefined);
    });
  });
}
