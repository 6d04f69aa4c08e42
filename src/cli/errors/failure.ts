import { ClientError, UnreachableError } from '../../client/errors.js';
import { ServiceError } from '../../wire/errors/error.js';
import { textOf } from '../../wire/json/json.js';
import { certificateProblem } from './certificate-problem.js';
import { environmentFault } from './environment-fault.js';
import { CliError, exitCodes } from './exit.js';
import { nameProgram } from './named-stack.js';
import { NodeDownError } from './node-down.js';
import { logLine, readEntry } from '../stack/watching/log-line.js';
import { type Output, result } from '../terminal/output.js';
import { lostService } from './lost-service.js';
import { remedyOf } from './remedies.js';
import { safe, safeLines } from '../terminal/text.js';

/** A failure in printable form (docs/operations.md §11.3, §11.4). */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly exitCode: number;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Converts any thrown value to a failure. `program` is the typed name. */
export function failureOf(error: unknown, program: string): Failure {
  if (error instanceof CliError) return { ...pick(error), code: error.code };
  // Hints of `StackError` always call the program `stack`.
  if (isStackError(error))
    return { ...pick(error), hint: error.hint && nameProgram(error.hint, program), code: error.code };
  if (error instanceof ClientError) return refused(error);
  if (error instanceof UnreachableError) {
    return unreachable(error, program);
  }
  if (error instanceof ServiceError) return failure('USAGE', error.text);
  const fault = environmentFault(error);
  if (fault !== undefined) return failure('PREREQUISITE', fault.message, { hint: fault.hint });
  const lost = lostService(error);
  if (lost !== undefined) return failure(lost.code, lost.message, { hint: `Check the services: ${program} status` });
  const message = error instanceof Error ? error.message : String(error);
  // Compared by name, because only commands that read such files load the module of the class.
  if (error instanceof Error && error.name === 'InvalidFileError') {
    return failure('CONFLICT', message, { hint: 'Restore the file from a copy.' });
  }
  return failure('FAILURE', `Internal error of ${program}: ${message}`, {
    hint: 'Repeat the command with --verbose to see where.',
  });
}

/** Prints a failure: one line of JSON on stdout with `--json`, otherwise a sentence and a hint on stderr. */
export async function printFailure(output: Output, shown: Failure, error: unknown): Promise<void> {
  if (output.isVerbose && error instanceof Error) await output.err.write(`${safeLines(stackOf(error))}\n`);
  if (output.isJson) {
    const { code, message, hint, exitCode, details } = shown;
    await output.record(textOf(result({ error: { code, message, hint, exitCode, details } })));
    return;
  }
  const records = logLines(shown, output);
  const sentence = `${output.err.paint('red', '✗')} ${safe(shown.message)}`;
  const hint = shown.hint === undefined ? [] : [safe(shown.hint)];
  // People read only the last line after log records, so it has both the sentence and the hint.
  const lines = records.length > 0 ? [...records, joined(sentence, hint)] : [sentence, ...hint.map(indented)];
  await output.err.write(`${lines.join('\n')}\n`);
}

function joined(sentence: string, hint: readonly string[]): string {
  const complete = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
  return [complete, ...hint].join(' ');
}

function indented(line: string): string {
  return `  ${line}`;
}

/** The last log records of the failed service, if any. */
function logLines({ details }: Failure, output: Output): string[] {
  const { lines, service } = details;
  if (!Array.isArray(lines)) return [];
  const records = lines.map((line) => ({
    service: String(service),
    line: String(line),
    entry: readEntry(String(line)),
  }));
  return records.map((record) => `  ${output.err.paint('dim', '│')} ${logLine(record, 0, output.err)}`);
}

function failure(
  code: keyof typeof exitCodes,
  message: string,
  { hint, details = {} }: { hint?: string; details?: Readonly<Record<string, unknown>> } = {},
): Failure {
  return { code, message, hint, exitCode: exitCodes[code], details };
}

function unreachable(error: UnreachableError, program: string): Failure {
  const { url, cause, message } = error;
  const details = { url };
  if (cause instanceof NodeDownError) return failure(cause.exit, `${cause.message}.`, { hint: cause.hint, details });
  const found = certificateProblem(error);
  if (found !== undefined) return failure('PREREQUISITE', found.message, { hint: found.hint });
  return failure('NOT_RUNNING', `${message}.`, {
    hint: `Check the address. Stacks of this machine: ${program} list`,
    details,
  });
}

function refused(error: ClientError): Failure {
  const details = { status: error.status, nodeCode: error.code, body: error.body };
  const code = error.status >= 500 ? 'UNHEALTHY' : error.status === 404 ? 'NOT_FOUND' : 'REJECTED';
  const hint = remedyOf(error);
  // A missing record is not a refusal.
  const prefix = { NOT_FOUND: '', REJECTED: 'The node refused: ', UNHEALTHY: 'The node failed: ' }[code];
  return failure(code, `${prefix}${error.message}`, { details, ...(hint === undefined ? {} : { hint }) });
}

interface Described {
  readonly message: string;
  readonly hint: string | undefined;
  readonly exitCode: number;
  readonly details: Readonly<Record<string, unknown>>;
}

function pick({ message, hint, exitCode, details }: Described): Described {
  return { message, hint, exitCode, details };
}

/** Compares by shape, because only commands that need the module of the class load it. */
function isStackError(error: unknown): error is Error & Described & { readonly code: string } {
  return error instanceof Error && error.name === 'StackError' && 'code' in error && 'exitCode' in error;
}

function stackOf(error: Error): string {
  const inner = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return (error.stack ?? error.message) + inner;
}
