import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { unitText } from '../../stack/export/systemd.js';
import { loadStack } from '../../stack/places/locate.js';
import type { CommandResult } from '../base.js';
import { CliError } from '../errors/exit.js';
import { writeProblem } from '../errors/file-problem.js';
import { findStack, type CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import type { ExportFlags } from './mermaid.js';

/** `stack export systemd`. @throws StackError; CliError USAGE if the file cannot be written */
export async function exportSystemd(flags: ExportFlags, context: CommandContext): Promise<CommandResult> {
  const { place, name } = await findStack(flags, context);
  const { DOCKER_HOST: engine } = context.environment;
  const unit = unitText(await loadStack(place, name), { user: ownName(), node: process.execPath, engine });
  const path = flags.output ?? '-';
  if (path === '-') return { json: { unit }, text: unit.trimEnd(), primary: unit.trimEnd() };
  await writeFile(path, unit).catch((cause: unknown) => {
    throw new CliError('USAGE', `${path} cannot be written: ${writeProblem(cause)}.`, { cause });
  });
  return { json: { unit, path }, text: safe(path), primary: safe(path) };
}

/** The name of the user, or the id where there is no name, as in containers. */
function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 0);
  }
}
