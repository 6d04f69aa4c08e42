import type { InvalidFile } from '../../stack/definition/yaml-text.js';
import { CliError } from '../errors/exit.js';
import type { Output } from '../terminal/output.js';
import { plural, safe } from '../terminal/text.js';

/** Prints the problems of a file, one per line, and returns the error that counts them. */
export async function printProblems({ file, problems }: InvalidFile, output: Output): Promise<CliError> {
  const lines = problems.map(({ line, column, message }) => `${safe(file)}:${line}:${column}: ${safe(message)}\n`);
  await output.err.write(lines.join(''));
  return new CliError('USAGE', `${plural(problems.length, 'problem')} in ${file}.`);
}
