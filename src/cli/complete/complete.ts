import { durationMs } from '../duration.js';
import { createOutput, type Environment } from '../terminal/output.js';
import { type Candidate, completionOf, type KnownCommands } from './words.js';

/** Default limit, since a shell waits for this while the user types; a slow machine may need more. */
const defaultLimitMs = 250;
const discard = { write: (_: unknown, done: () => void) => (done(), true) };

/**
 * Returns the completions of a command line for the scripts of `autocomplete`: one per line, with its description after
 * a tab. Returns an empty text if none are known in time; the shell then offers files.
 */
export async function complete(
  words: readonly string[],
  config: KnownCommands & { readonly bin: string },
  environment: Environment,
): Promise<string> {
  const completion = completionOf(words, config);
  if ('candidates' in completion) return linesOf(completion.candidates);
  const modes = { isJson: true, isQuiet: true, isVerbose: false, hasColor: false };
  const output = createOutput({ stdout: discard, stderr: discard, environment, modes });
  const { valuesOf } = await import('./values.js');
  const limit = environment['STACK_COMPLETION_TIMEOUT'] ?? '';
  const signal = AbortSignal.timeout(limit === '' ? defaultLimitMs : durationMs(limit, 'STACK_COMPLETION_TIMEOUT'));
  const late = new Promise<readonly Candidate[]>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve([]);
    });
  });
  const values = valuesOf(completion.wanted, { output, environment, program: config.bin }, signal);
  return linesOf(await Promise.race([values, late]));
}

function linesOf(candidates: readonly Candidate[]): string {
  // Values with characters that are special to a shell or its line editor are left out.
  const plain = candidates.filter(({ value }) => /^[\w@%+=:,./-]+$/.test(value));
  return plain
    .map(({ value, description }) => (description === undefined ? `${value}\n` : `${value}\t${oneLine(description)}\n`))
    .join('');
}

function oneLine(text: string): string {
  return text.replaceAll(/[\t\r\n]+/g, ' ');
}
