import { CliError, exitNameOf } from '../../errors/exit.js';
import { type Failure, failureOf, printFailure } from '../../errors/failure.js';
import { nameStack } from '../../errors/named-stack.js';
import type { CommandContext } from '../../requests/target.js';
import { answer } from '../../terminal/answer.js';

/** The failure of a command at one stack. */
export interface StackFailure {
  readonly name: string;
  readonly error: unknown;
}

/** Runs `work` for each stack in turn, also after a failure. Resolves with the failures. */
export async function forEachStack(
  names: readonly string[],
  work: (name: string) => Promise<void>,
): Promise<readonly StackFailure[]> {
  const failures: StackFailure[] = [];
  for (const name of names) {
    try {
      await work(name);
    } catch (error) {
      failures.push({ name, error });
    }
  }
  return failures;
}

/** The result of a command for several stacks. */
export interface StacksResult {
  readonly names: readonly string[];
  readonly failures: readonly StackFailure[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The names for `--quiet`, one per line. */
  readonly primary: string;
}

/**
 * Prints the result of a command for one stack or several, then every failure. With `--json` a failure is the only
 * output: that of the first stack, with the result and all failures in its details.
 *
 * @throws the failure of a single stack unchanged; otherwise CliError with the exit code of the first failure
 */
export async function answerForStacks(result: StacksResult, { output, program }: CommandContext): Promise<void> {
  const { names, failures, members, text, primary } = result;
  const [first] = failures;
  if (first === undefined) {
    await answer(output, members, text, primary);
    return;
  }
  if (names.length === 1) throw first.error;
  const shown = failures.map(({ name, error }) => ({ name, error, failure: failureAt(name, error, program) }));
  const { exitCode, details, ...others } = failureAt(first.name, first.error, program);
  if (output.isJson) {
    const all = shown.map(({ name, failure: { code, message } }) => ({ name, code, message }));
    const failure = { ...others, exitCode, details: { ...details, ...members, failures: all } };
    await printFailure(output, failure, first.error);
  } else {
    if (text !== '') await answer(output, members, text, primary);
    for (const { failure, error } of shown) await printFailure(output, failure, error);
  }
  throw new CliError(exitNameOf(exitCode), others.message, { exitCode, isPrinted: true });
}

/** The failure of a command at one stack of several, with the stack in the commands of its hint. */
function failureAt(name: string, error: unknown, program: string): Failure {
  const failure = failureOf(error, program);
  return { ...failure, hint: failure.hint && nameStack(failure.hint, program, name) };
}
