import type { stackFlags } from '../flags.js';
import type { FlagsOf } from '../flag-types.js';
import { stackStatus } from '../../stack/status.js';
import { CliError } from '../errors/exit.js';
import { takeSignals } from '../signals.js';
import { openRunningStack, type CommandContext } from '../requests/target.js';
import { jobEnvironment, requireProgram } from './command.js';
import { runCommand } from './job.js';

export type ExecFlags = FlagsOf<typeof stackFlags> & {
  readonly command: readonly string[];
};

/**
 * `stack exec`: runs a command with the addresses of a stack in its environment.
 *
 * @throws CliError NOT_RUNNING, UNKNOWN_COMMAND, or with the exit code of the command; StackError
 */
export async function execCommand({ stack: name, command }: ExecFlags, context: CommandContext): Promise<void> {
  const { environment, program } = context;
  const stack = await openRunningStack({ stack: name }, context);
  await requireProgram(command[0] ?? '', environment);
  const { env, state } = await stackStatus(stack);
  if (state === 'stopped') {
    throw new CliError('NOT_RUNNING', `${stack.name} is not running.`, {
      hint: `Start it: ${program} start ${stack.name}`,
    });
  }
  const exitCode = await runCommand({ command, environment: jobEnvironment(environment, env), signals: takeSignals() });
  if (exitCode !== 0) throw commandFailed(command, exitCode);
}

/** The failure of a command that has printed the reason itself. */
export function commandFailed(command: readonly string[], exitCode: number): CliError {
  return new CliError('FAILURE', `${command[0] ?? ''} ended with ${exitCode}.`, { exitCode, isPrinted: true });
}
