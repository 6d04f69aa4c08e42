import { basename } from 'node:path';
import { textOf } from '../../wire/json/json.js';
import { CliError } from '../errors/exit.js';
import { result } from '../terminal/output.js';
import type { CommandContext } from '../requests/target.js';
import { completionHints, completionScripts, shells } from './scripts.js';

/** `stack autocomplete`. @throws CliError USAGE for an unsupported shell */
export async function printCompletion(
  given: string | undefined,
  { output, environment }: CommandContext,
): Promise<void> {
  const name = given ?? basename(environment['SHELL'] ?? 'bash');
  const shell = shells.find((each) => each === name);
  if (shell === undefined) {
    throw new CliError('USAGE', `There is no completion for the shell ${name}.`, {
      hint: `Supported shells: ${shells.join(', ')}.`,
    });
  }
  const script = completionScripts[shell];
  if (output.isJson) await output.json(textOf(result({ shell, script })));
  else await output.out.write(script);
  if (!output.isJson && output.out.isTerminal) await output.note(`# To keep it enabled: ${completionHints[shell]}`);
}
