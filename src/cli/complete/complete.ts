import { durationMs } from '../duration.js';
import { createOutput, type Environment } from '../output.js';
import { type Candidate, completionOf, type KnownCommands } from './words.js';

/** A shell waits for this while a person types; a slow machine may be given longer. */
const usualLimitMs = 250;
const unheard = { write: (_: unknown, done: () => void) => (done(), true) };

/**
 * Prints what can come at the end of a command line, for the scripts of `autocomplete`: a line for each, with its
 * description behind a tab. Nothing where nothing is known, or not in time: the shell then offers files.
 */
export async function complete(
  words: readonly string[],
  config: KnownCommands & { readonly bin: string },
  environment: Environment,
): Promise<string> {
  const completion = completionOf(words, config);
  if ('candidates' in completion) return linesOf(completion.candidates);
  const modes = { isJson: true, isQuiet: true, isVerbose: false, hasColor: false };
  const output = createOutput({ stdout: unheard, stderr: unheard, environment, modes });
  const { valuesOf } = await import('./values.js');
  const given = environment['STACK_COMPLETION_TIMEOUT'] ?? '';
  const signal = AbortSignal.timeout(given === '' ? usualLimitMs : durationMs(given, 'STACK_COMPLETION_TIMEOUT'));
  const late = new Promise<readonly Candidate[]>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve([]);
    });
  });
  const values = valuesOf(completion.wanted, { output, environment, program: config.bin }, signal);
  return linesOf(await Promise.race([values, late]));
}

function linesOf(candidates: readonly Candidate[]): string {
  // A value with a character that a shell or a line reads otherwise is left to the person.
  const plain = candidates.filter(({ value }) => /^[\w@%+=:,./-]+$/.test(value));
  return plain
    .map(({ value, description }) => (description === undefined ? `${value}\n` : `${value}\t${oneLine(description)}\n`))
    .join('');
}

function oneLine(text: string): string {
  return text.replaceAll(/[\t\r\n]+/g, ' ');
}
