import type { StackStatus } from '../../stack/status.js';
import { safe } from '../terminal/text.js';
import { CliError } from './exit.js';
import { nameProgram, nameStack } from './named-stack.js';

type Stopped = Pick<StackStatus, 'name' | 'failedStart'>;

/** The failure of a command that needs a running stack. */
export function notRunning({ name, failedStart }: Stopped, program: string): CliError {
  const start = `Start it: ${program} start ${name}`;
  if (failedStart === null) return new CliError('NOT_RUNNING', `${name} is not running.`, { hint: start });
  const { why, remedy = start } = failedStartTexts({ name, failedStart }, program);
  return new CliError('NOT_RUNNING', `${name} is not running. ${why}`, { hint: remedy });
}

/** Why the last start of a stack failed, and what to do about it; undefined if it succeeded. */
export function failedStartNote({ name, failedStart }: Stopped, program: string): string | undefined {
  if (failedStart === null) return undefined;
  const { why, remedy } = failedStartTexts({ name, failedStart }, program);
  return remedy === undefined ? why : `${why}\n  ${remedy}`;
}

function failedStartTexts(
  { name, failedStart: { at, message, hint } }: { readonly name: string; readonly failedStart: FailedStart },
  program: string,
): { readonly why: string; readonly remedy: string | undefined } {
  const shown = (text: string): string => nameStack(nameProgram(safe(text), program), program, name);
  return { why: shown(`Its last start, at ${at}, failed: ${message}`), remedy: hint && shown(hint) };
}

type FailedStart = NonNullable<StackStatus['failedStart']>;
