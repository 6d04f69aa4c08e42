import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { textOf } from '../../wire/json/json.js';
import { durationMs } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { result } from '../terminal/output.js';
import { fileText, loadText } from '../requests/payload.js';
import { readAll } from '../terminal/stdin.js';
import { openTarget, type CommandContext, type TargetFlags } from '../requests/target.js';
import { plural, safe } from '../terminal/text.js';
import { createCheck } from './checks.js';
import type { Check } from './look-up.js';
import { type Assertion, isKind, parseAssertion } from './parse.js';

export interface ExpectFlags extends TargetFlags {
  /** Assertions, or the words of one. */
  readonly words: readonly string[];
  readonly file?: string | undefined;
  readonly within: string;
}

/** The last result of an assertion. */
export interface CheckedAssertion {
  readonly assertion: Assertion;
  /** The state that was found; undefined if the assertion was met. */
  readonly actual: string | undefined;
}

/**
 * `stack expect`: repeats all assertions until each was met or the timeout is over (docs/operations.md §11.8).
 *
 * @throws CliError USAGE for bad syntax, NOT_FOUND, UNHEALTHY if one is not met; ClientError
 */
export async function expectAll(flags: ExpectFlags, context: CommandContext): Promise<void> {
  const withinMs = durationMs(flags.within, '--within');
  const assertions = await readAssertions(flags, context);
  const target = await openTarget(flags, context);
  const directory = flags.file === undefined || flags.file === '-' ? process.cwd() : dirname(flags.file);
  const outcomes = await checkAll(assertions, (each) => createCheck(each, { target, directory }), withinMs);
  await printOutcomes(outcomes, context);
}

async function readAssertions(
  { words, file }: ExpectFlags,
  { program }: CommandContext,
): Promise<readonly Assertion[]> {
  const [first = ''] = words;
  if (existsSync(first) && !isKind(first)) {
    throw new CliError('USAGE', `${first} is a file, not an assertion.`, {
      hint: `To read assertions from it: ${program} expect -f ${first}`,
    });
  }
  // The words of one assertion need no quotes around them.
  const typed = isKind(first) ? [words.join(' ')] : words;
  const ofWords = typed.map((text, i) => parseAssertion(text, i + 1, `Argument ${i + 1}`));
  const ofFile = file === undefined ? [] : parseFile(await readFileText(file), file === '-' ? 'stdin' : file);
  const all = [...ofWords, ...ofFile];
  if (all.length > 0) return all;
  throw new CliError('USAGE', 'No assertion was given.', {
    hint: `For example: ${program} expect 'message tag=order confirmed on all'`,
  });
}

async function readFileText(path: string): Promise<string> {
  return path === '-' ? loadText({ kind: 'stdin' }, () => readAll(process.stdin)) : fileText(path);
}

/** One assertion per line; empty lines and lines that begin with `#` are skipped. */
export function parseFile(text: string, origin: string): readonly Assertion[] {
  return text.split(/\r?\n/).flatMap((line, i) => {
    const isBlank = /^\s*(#|$)/.test(line);
    return isBlank ? [] : [parseAssertion(line, i + 1, `${origin}, line ${i + 1}`)];
  });
}

const firstPollMs = 25;
const maxPollMs = 250;

/** Repeats the checks of assertions until each was met once, or until the timeout is over. */
export async function checkAll(
  assertions: readonly Assertion[],
  createOne: (assertion: Assertion) => Promise<Check>,
  withinMs: number,
): Promise<readonly CheckedAssertion[]> {
  const end = performance.now() + withinMs;
  const checks = await Promise.all(assertions.map(createOne));
  let actual = await Promise.all(checks.map((check) => check()));
  for (let pollMs = firstPollMs; actual.some((each) => each !== undefined); pollMs = Math.min(pollMs * 2, maxPollMs)) {
    const leftMs = end - performance.now();
    if (leftMs <= 0) break;
    await sleep(Math.min(pollMs, leftMs));
    actual = await Promise.all(actual.map(async (each, i) => (each === undefined ? undefined : checks[i]?.())));
  }
  return assertions.map((assertion, i) => ({ assertion, actual: actual[i] }));
}

async function printOutcomes(outcomes: readonly CheckedAssertion[], { output }: CommandContext): Promise<void> {
  const failed = outcomes.filter(({ actual }) => actual !== undefined);
  if (output.isJson) {
    const members = failed.map(({ assertion, actual }) => ({ line: assertion.line, expected: assertion.text, actual }));
    await output.json(textOf(result({ passed: outcomes.length - failed.length, failed: members })));
  } else if (!output.isQuiet) {
    await output.line(outcomes.map((outcome) => outcomeText(outcome, output.out.paint)).join('\n'));
  }
  if (failed.length === 0) return;
  const count = `${failed.length} of ${plural(outcomes.length, 'assertion')} not met.`;
  throw new CliError('UNHEALTHY', count, { isPrinted: output.isJson });
}

type Paint = CommandContext['output']['out']['paint'];

/** One line: the assertion, and the state that was found instead. */
export function outcomeText({ assertion, actual }: CheckedAssertion, paint: Paint): string {
  const text = safe(assertion.text);
  return actual === undefined ? `${paint('green', '✓')} ${text}` : `${paint('red', '✗')} ${text} · ${actual}`;
}
